/** Tells the crew of an approval, as its interface says. @throws where it isn't taken */
export async function tellCrew(crewUrl: string, taskId: string): Promise<void> {
  const answer = await fetch(`${crewUrl}/resume`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    body: JSON.stringify({ execution_id: taskId, task_id: taskId, human_feedback: 'Approved.', is_approve: true }),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`the crew answered ${answer.status}`);
}
