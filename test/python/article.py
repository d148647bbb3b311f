"""A flow of CrewAI that asks until people publish what it has written."""

from crewai.flow import Flow, human_feedback, listen, or_, start

from signoff_agents.flows import SignoffProvider


class Article(Flow):
    @start()
    def begin(self):
        pass

    @listen(or_("begin", "revise"))
    @human_feedback(message="Publish this?", emit=["publish", "revise"], provider=SignoffProvider())
    def draft(self):
        told = self.last_human_feedback
        return f"Tea is ready. {told.feedback}" if told else "Tea is ready."

    @listen("publish")
    def when_published(self):
        return self.last_human_feedback.output


print(Article().kickoff())
