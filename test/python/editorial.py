"""A program of three tasks, of which two ask a person. Outputs show what the task knew."""

from signoff_agents.serve.runs import Run, RunFailed

TASKS = {"task-1": "research", "task-2": "write", "task-3": "print"}


class Editorial:
    inputs = ["topic", "audience"]
    required = ["topic", "audience"]

    def run(self, inputs, run: Run) -> str:
        run.begin(TASKS)
        if inputs["topic"] == "nothing":
            raise RunFailed("There is no paper in the printer.")
        if inputs["topic"] == "trouble":
            raise ValueError("token=a-secret-of-the-crew")
        for task_id in TASKS:
            if run.output_of(task_id) is None:
                run.start_task(task_id, TASKS[task_id])
                output = self.work(task_id, run) + (" (stamped)" if inputs["audience"] == "officials" else "")
                run.complete_task(task_id, output, {"output": output, "agent": "Editor"})
        return run.output_of("task-3")

    def work(self, task_id, run: Run) -> str:
        notes = " | ".join(note for _, note in run.notes_for(task_id))
        if task_id == "task-3":
            return f"print [{notes}]"
        approval = run.recall(task_id)
        while approval is None:
            rejected = [each.feedback for each in run.rejections(task_id)]
            run.step(task_id, {"agent": "Editor", "tool": "pen", "tool_input": "ink", "result": "words"})
            output = f"{TASKS[task_id]} {len(rejected) + 1} [{' | '.join([notes, *rejected])}]"
            decision = run.ask(task_id, TASKS[task_id], output)
            approval = decision if decision.approved else None
        return approval.text
