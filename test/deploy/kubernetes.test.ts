import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { budget, deployment, ingress, manifestText, readManifest, service } from './kubernetes-manifest.ts';

/** What a bot that is told to stop takes at most. */
const STOPS_WITHIN_S = 8;
/** How long a start waits for Slack, at most, and a little more. */
const STARTS_WITHIN_S = 75;

const pod = deployment.spec.template.spec;
const [bot] = pod.containers;

it('The manifest for Kubernetes is what its API takes', () => {
  expect(readManifest(manifestText).map(({ kind, problems }) => [kind, problems])).toEqual([
    ['Deployment', []],
    ['PodDisruptionBudget', []],
    ['Service', []],
    ['Ingress', []],
  ]);
});

it.each([
  ['readinessProbe:', 'readynessProbe:'],
  ['replicas: 2', 'replicas: two'],
  ['maxUnavailable: 1', 'minimumAvailable: 1'],
  ['targetPort: http', 'targetPorts: http'],
  ['pathType: Exact', 'pathKind: Exact'],
])('A mistake in the manifest is noticed (%s)', (right, wrong) => {
  expect(manifestText).toContain(right);
  const found = readManifest(manifestText.replace(right, wrong)).flatMap(({ problems }) => problems);
  expect(found).not.toEqual([]);
});

it('The Service, the budget and the spread are about the pods of the Deployment', () => {
  const { labels } = deployment.spec.template.metadata;
  for (const selected of [
    deployment.spec.selector.matchLabels,
    budget.spec.selector.matchLabels,
    service.spec.selector,
  ])
    expect(labels).toMatchObject(selected);
  const [{ name, containerPort }] = bot.ports;
  const [{ name: ofService, targetPort }] = service.spec.ports;
  expect([targetPort, bot.env]).toEqual([name, [{ name: 'PORT', value: `${containerPort}` }]]);
  const [{ http }] = ingress.spec.rules;
  for (const { backend } of http.paths)
    expect(backend).toEqual({ service: { name: 'signoff', port: { name: ofService } } });
});

it('There are two bots, also during a rollout, and draining hosts leaves one of them', () => {
  const { replicas, strategy } = deployment.spec;
  expect([replicas, strategy.rollingUpdate]).toEqual([2, { maxUnavailable: 0, maxSurge: 1 }]);
  expect(replicas - budget.spec.maxUnavailable).toBe(1);
});

it('A bot that cannot reach Redis or Slack gets no requests, and is not restarted', () => {
  expect(bot.readinessProbe.httpGet.path).toBe('/readyz');
  expect([bot.livenessProbe.httpGet.path, bot.startupProbe.httpGet.path]).toEqual(['/healthz', '/healthz']);
  const { periodSeconds, failureThreshold } = bot.startupProbe;
  expect(periodSeconds * failureThreshold).toBeGreaterThan(STARTS_WITHIN_S);
});

it('A pod has the time to be taken out of the Service and then to stop', () => {
  const { seconds } = bot.lifecycle.preStop.sleep;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(seconds + STOPS_WITHIN_S);
});

it('A bot runs as an unprivileged user, whom the image has, and cannot write to its disk', () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  expect(bot.securityContext.readOnlyRootFilesystem).toBe(true);
  expect(readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8')).toContain('\nUSER node\n');
});
