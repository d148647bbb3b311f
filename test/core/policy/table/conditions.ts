/** Rules that follow the request: what stands after // is what the run was started with. */
export const CONDITIONS = `
approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: 9000
  Maria     | undecided                      | approve             | 1 of 2
  Tom       | Maria approved                 | approve             | approves
  Anna      | undecided                      | approve             | refused: not-approver
  Maria     | undecided                      | reject              | rejects

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: 5000
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: 5000.01
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: "9000"
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: "1"
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: null
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: [9000]
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: { gt: 1 }
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: 1e308
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "inputs.amount * inputs.amount > 5000.0", quorum: 2 }] // amount: 1e308
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: -1
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount == 0", quorum: 2 }] // amount: -0
  Maria     | undecided                      | approve             | 1 of 2

approvers: [workspace], when: [{ if: "inputs.amount > 5000 && inputs.env == 'prod'", approvers: [@leads] }] // amount: 9000, env: prod
  Maria     | undecided                      | approve             | approves
  Anna      | undecided                      | approve             | refused: not-approver
  Anna      | undecided                      | reject              | refused: not-approver
  Sam       | undecided                      | approve             | approves

approvers: [workspace], when: [{ if: "inputs.amount > 5000 && inputs.env == 'prod'", approvers: [@leads] }] // amount: 9000, env: dev
  Anna      | undecided                      | approve             | approves
  Guest     | undecided                      | approve             | refused: guest

approvers: [workspace], when: [{ if: "inputs.amount > 5000 && inputs.env == 'prod'", approvers: [@leads] }] // env: dev
  Anna      | undecided                      | approve             | approves

approvers: [workspace], when: [{ if: "inputs.amount > 5000 && inputs.env == 'prod'", approvers: [@leads] }] // env: prod
  Anna      | undecided                      | approve             | 0 of 1, 1 of 1
  Tom       | undecided                      | approve             | approves

approvers: [workspace], when: [{ if: "inputs.amount > 5000 && inputs.env == 'prod'", approvers: [@leads] }] // amount: 9000, env: 7
  Anna      | undecided                      | approve             | 0 of 1, 1 of 1

approvers: [workspace], when: [{ if: "inputs.amount > 100000", approvers: [@heads] }, { if: "inputs.amount > 5000", approvers: [@leads], quorum: 2 }] // amount: 200000
  Olga      | undecided                      | approve             | approves
  Maria     | undecided                      | approve             | refused: not-approver

approvers: [workspace], when: [{ if: "inputs.amount > 100000", approvers: [@heads] }, { if: "inputs.amount > 5000", approvers: [@leads], quorum: 2 }] // amount: 9000
  Olga      | undecided                      | approve             | refused: not-approver
  Maria     | undecided                      | approve             | 1 of 2

approvers: [workspace], when: [{ if: "inputs.amount > 100000", approvers: [@heads] }, { if: "inputs.amount > 5000", approvers: [@leads], quorum: 2 }] // amount: 10
  Anna      | undecided                      | approve             | approves

approvers: [workspace], when: [{ if: "inputs.amount > 100000", approvers: [@heads] }, { if: "inputs.amount > 5000", approvers: [@leads], quorum: 2 }] // env: prod
  Anna      | undecided                      | approve             | 0 of 1, 0 of 2, 1 of 1
  Olga      | undecided                      | approve             | 1 of 1, 0 of 2, 1 of 1
  Maria     | undecided                      | approve             | 0 of 1, 1 of 2, 1 of 1
  Maria     | Olga approved                  | approve             | 1 of 1, 1 of 2, 2 of 1
  Tom       | Olga approved; Maria approved  | approve             | approves

approvers: [@leads], when: [{ if: "inputs.env == 'prod'", quorum: 3 }, { if: "inputs.amount > 5000", quorum: 2 }] // amount: 9000
  Maria     | undecided                      | approve             | 1 of 3, 1 of 2

approvers: [@leads], when: [{ if: "inputs.env == 'prod'", quorum: 3 }, { if: "inputs.amount > 5000", quorum: 2 }] // env: dev
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.env == 'prod'", quorum: 3 }, { if: "inputs.amount > 5000", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 3

approvers: [@leads], quorum: 2, when: [{ if: "inputs.amount < 100", quorum: 1, may_loosen: true }] // amount: 50
  Maria     | undecided                      | approve             | approves

approvers: [@leads], quorum: 2, when: [{ if: "inputs.amount < 100", quorum: 1, may_loosen: true }] // amount: 500
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], quorum: 2, when: [{ if: "inputs.amount < 100", quorum: 1, may_loosen: true }] // env: prod
  Maria     | undecided                      | approve             | 1 of 1, 1 of 2

approvers: [@leads], when: [{ if: "inputs.amount > 5000", approvers: [@heads], may_loosen: true }] // env: prod
  Maria     | undecided                      | approve             | 0 of 1, 1 of 1
  Olga      | Maria approved                 | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", approvers: [@heads], may_loosen: true }] // amount: 9000
  Maria     | undecided                      | approve             | refused: not-approver
  Olga      | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.urgent", self_approval: false }] // urgent: true
  Sam       | undecided                      | approve             | refused: own run
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.urgent", self_approval: false }] // urgent: false
  Sam       | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.urgent", self_approval: false }] // urgent: "false"
  Sam       | undecided                      | approve             | 0 of 1, 1 of 1

approvers: [@leads], when: [{ if: "!inputs.urgent", quorum: 2 }] // urgent: true
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.env in ['prod', 'staging']", all_of: [@legal] }] // env: staging
  Maria     | undecided                      | approve             | 1 of 1
  Anna      | Maria approved                 | approve             | approves
  Lea       | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.env in ['prod', 'staging']", all_of: [@legal] }] // env: dev
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.env.startsWith('prod')", stages: [{ name: Peer, approvers: [channel] }, { name: Release }] }] // env: prod-eu
  Carl      | undecided                      | approve             | next stage: Release
  Tom       | undecided                      | approve             | refused: not-approver
  Tom       | Carl approved                  | approve             | approves

approvers: [@leads], when: [{ if: "inputs.env.startsWith('prod')", stages: [{ name: Peer, approvers: [channel] }, { name: Release }] }] // env: test
  Tom       | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "round > 1", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "round == 1", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "task == 'Draft'", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "task == 'Publish'", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "starter == 'USAM'", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "starter != 'USAM'", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "starter != 'UOLGA'", quorum: 2 }] // elsewhere
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // elsewhere
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "channel == 'C1'", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "hour >= 0 && hour < 24", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "hour < 0", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "size(inputs.owner) > 3", quorum: 2 }] // owner: Maria
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "inputs.owner == ''", quorum: 2 }] // owner: ""
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "1 / 0 > 1", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000 || inputs.env == 'prod'", quorum: 2 }] // env: prod
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], when: [{ if: "inputs.amount > 5000 || inputs.env == 'prod'", quorum: 2 }] // amount: 1
  Maria     | undecided                      | approve             | 1 of 2, 1 of 1

approvers: [@leads], when: [{ if: "inputs.amount > 5000 || inputs.env == 'prod'", quorum: 2 }] // amount: 1, env: dev
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }], tasks: [{ match: draft, approvers: [@heads] }] // amount: 9000
  Olga      | undecided                      | approve             | 1 of 2
  Maria     | undecided                      | approve             | refused: not-approver

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }], tasks: [{ match: draft, when: [] }] // amount: 9000
  Maria     | undecided                      | approve             | approves

approvers: [@leads], tasks: [{ match: draft, when: [{ if: "inputs.amount > 5000", quorum: 2 }] }] // amount: 9000
  Maria     | undecided                      | approve             | 1 of 2

approvers: [@leads], tasks: [{ match: other, when: [{ if: "inputs.amount > 5000", quorum: 2 }] }] // amount: 9000
  Maria     | undecided                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", undo: 10s }] // amount: 9000
  Maria     | undecided                      | approve             | approves, can be undone
  Maria     | Maria approved                 | undo                | waits again

approvers: [@leads], when: [{ if: "inputs.amount > 5000", min_review: 20s }] // amount: 9000
  Maria     | undecided                      | approve             | refused: too-soon

approvers: [@leads], when: [{ if: "inputs.amount > 5000", expire_after: 1h }] // amount: 9000
  Maria     | 2h passed                      | approve             | refused: expired

approvers: [@leads], when: [{ if: "inputs.amount > 5000", expire_after: 1h }] // amount: 1
  Maria     | 2h passed                      | approve             | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", comment: required }] // amount: 9000
  Maria     | undecided                      | approve             | refused: note-missing
  Maria     | undecided                      | approve with a note | approves

approvers: [@leads], when: [{ if: "inputs.amount > 5000", quorum: 2 }] // amount: 9000
  Tom       | Maria approved; now approvers: [@leads] | approve    | approves
  Tom       | Maria approved; Maria left @leads | approve          | 1 of 2
`;
