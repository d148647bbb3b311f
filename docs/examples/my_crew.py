"""A crew of one writer, whose text people approve before the crew is done."""

from crewai import Agent, Crew, Task


def make_crew() -> Crew:
    writer = Agent(role="Writer", goal="A text that is read to its end", backstory="You write for colleagues.")
    announcement = Task(
        name="announcement",
        description="Write an announcement about {topic}.",
        expected_output="Markdown, at most 200 words.",
        agent=writer,
        human_input=True,
    )
    return Crew(agents=[writer], tasks=[announcement])
