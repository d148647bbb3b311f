/**
 * The methods that Slack has and this workspace lacks, as of @slack/web-api 8.2.0:
 * https://github.com/slackapi/node-slack-sdk/blob/main/packages/web-api/src/methods.ts
 */
export const LACKING_METHODS: ReadonlySet<string> = new Set(
  `
admin.analytics.getFile admin.apps.activities.list admin.apps.approve admin.apps.approved.list admin.apps.clearResolution
admin.apps.config.lookup admin.apps.config.set admin.apps.requests.cancel admin.apps.requests.list admin.apps.restrict
admin.apps.restricted.list admin.apps.uninstall admin.auth.policy.assignEntities admin.auth.policy.getEntities
admin.auth.policy.removeEntities admin.barriers.create admin.barriers.delete admin.barriers.list admin.barriers.update
admin.conversations.archive admin.conversations.bulkArchive admin.conversations.bulkDelete admin.conversations.bulkMove
admin.conversations.convertToPrivate admin.conversations.convertToPublic admin.conversations.create admin.conversations.delete
admin.conversations.disconnectShared admin.conversations.ekm.listOriginalConnectedChannelInfo
admin.conversations.getConversationPrefs admin.conversations.getCustomRetention admin.conversations.getTeams
admin.conversations.invite admin.conversations.lookup admin.conversations.removeCustomRetention admin.conversations.rename
admin.conversations.restrictAccess.addGroup admin.conversations.restrictAccess.listGroups
admin.conversations.restrictAccess.removeGroup admin.conversations.search admin.conversations.setConversationPrefs
admin.conversations.setCustomRetention admin.conversations.setTeams admin.conversations.unarchive admin.emoji.add
admin.emoji.addAlias admin.emoji.list admin.emoji.remove admin.emoji.rename admin.functions.list
admin.functions.permissions.lookup admin.functions.permissions.set admin.inviteRequests.approve
admin.inviteRequests.approved.list admin.inviteRequests.denied.list admin.inviteRequests.deny admin.inviteRequests.list
admin.roles.addAssignments admin.roles.listAssignments admin.roles.removeAssignments admin.teams.admins.list admin.teams.create
admin.teams.list admin.teams.owners.list admin.teams.settings.info admin.teams.settings.setDefaultChannels
admin.teams.settings.setDescription admin.teams.settings.setDiscoverability admin.teams.settings.setIcon
admin.teams.settings.setName admin.usergroups.addChannels admin.usergroups.addTeams admin.usergroups.listChannels
admin.usergroups.removeChannels admin.users.assign admin.users.getExpiration admin.users.invite admin.users.list
admin.users.remove admin.users.session.clearSettings admin.users.session.getSettings admin.users.session.invalidate
admin.users.session.list admin.users.session.reset admin.users.session.resetBulk admin.users.session.setSettings
admin.users.setAdmin admin.users.setExpiration admin.users.setOwner admin.users.setRegular
admin.users.unsupportedVersions.export admin.workflows.collaborators.add admin.workflows.collaborators.remove
admin.workflows.permissions.lookup admin.workflows.search admin.workflows.unpublish agents.conversations.archive
agents.conversations.create agents.conversations.getCanvas agents.conversations.listViews agents.conversations.removeView
agents.conversations.setCanvasContent agents.conversations.setCommands agents.conversations.setProperties
agents.conversations.setView agents.sessions.rename agents.sessions.setStatus apps.event.authorizations.list
apps.manifest.create apps.manifest.delete apps.manifest.export apps.manifest.update apps.manifest.validate apps.uninstall
apps.user.connection.update assistant.threads.setSuggestedPrompts assistant.threads.setTitle auth.revoke blocks.validate
bookmarks.add bookmarks.edit bookmarks.list bookmarks.remove calls.add calls.end calls.info calls.participants.add
calls.participants.remove calls.update canvases.access.delete canvases.access.set canvases.create canvases.delete canvases.edit
canvases.sections.lookup chat.appendStream chat.deleteScheduledMessage chat.meMessage chat.scheduleMessage
chat.scheduledMessages.list chat.startStream chat.stopStream chat.unfurl conversations.acceptSharedInvite
conversations.approveSharedInvite conversations.archive conversations.canvases.create conversations.close
conversations.declineSharedInvite conversations.externalInvitePermissions.set conversations.inviteShared conversations.kick
conversations.leave conversations.listConnectInvites conversations.mark conversations.rename
conversations.requestSharedInvite.approve conversations.requestSharedInvite.deny conversations.requestSharedInvite.list
conversations.setPurpose conversations.setTopic conversations.unarchive dialog.open dnd.endDnd dnd.endSnooze dnd.info
dnd.setSnooze dnd.teamInfo emoji.list entity.presentDetails files.comments.delete files.delete files.list files.remote.add
files.remote.info files.remote.list files.remote.remove files.remote.share files.remote.update files.revokePublicURL
files.sharedPublicURL migration.exchange oauth.access oauth.v2.access oauth.v2.exchange openid.connect.token
openid.connect.userInfo pins.add pins.list pins.remove reactions.get reactions.list reminders.add reminders.complete
reminders.delete reminders.info reminders.list rtm.connect search.all search.files search.messages slackLists.access.delete
slackLists.access.set slackLists.create slackLists.download.get slackLists.download.start slackLists.items.create
slackLists.items.delete slackLists.items.deleteMultiple slackLists.items.info slackLists.items.list slackLists.items.update
slackLists.update stars.add stars.list stars.remove team.accessLogs team.billableInfo team.billing.info
team.externalTeams.disconnect team.externalTeams.list team.integrationLogs team.preferences.list team.profile.get
tooling.tokens.rotate usergroups.create usergroups.disable usergroups.enable usergroups.update usergroups.users.update
users.deletePhoto users.discoverableContacts.lookup users.identity users.profile.set users.setPhoto workflows.featured.add
workflows.featured.list workflows.featured.remove workflows.featured.set
`
    .trim()
    .split(/\s+/),
);
