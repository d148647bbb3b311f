import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** The API's own schema of the resources that the manifest has. */
const SCHEMA = z
  .object({ definitions: z.record(z.string(), z.json()) })
  .parse(JSON.parse(await readFile(new URL('kubernetes-schema.json', import.meta.url), 'utf8')));

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });

const DEPLOYMENT = z.looseObject({
  kind: z.literal('Deployment'),
  spec: z.looseObject({
    replicas: z.number(),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.number(), maxSurge: z.number() }) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean(), runAsUser: z.number() }),
        containers: z.tuple([
          z.looseObject({
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            ports: z.tuple([z.object({ name: z.string(), containerPort: z.number() })]),
            startupProbe: probe.extend({ periodSeconds: z.number(), failureThreshold: z.number() }).loose(),
            livenessProbe: probe.loose(),
            readinessProbe: probe.loose(),
            lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }),
            securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean() }),
          }),
        ]),
      }),
    }),
  }),
});

const BUDGET = z.looseObject({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.looseObject({ maxUnavailable: z.number(), selector: DEPLOYMENT.shape.spec.shape.selector }),
});

const SERVICE = z.looseObject({
  kind: z.literal('Service'),
  spec: z.object({
    selector: z.record(z.string(), z.string()),
    ports: z.tuple([z.object({ name: z.string(), port: z.number(), targetPort: z.string() })]),
  }),
});

const INGRESS = z.looseObject({
  kind: z.literal('Ingress'),
  spec: z.looseObject({
    rules: z.tuple([
      z.looseObject({
        http: z.object({
          paths: z.array(
            z.looseObject({
              path: z.string(),
              backend: z.object({ service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }) }),
            }),
          ),
        }),
      }),
    ]),
  }),
});

const FILE = new URL('../../deploy/kubernetes.yml', import.meta.url);

/** The documents of a manifest as Kubernetes reads them, with what its API objects to. */
export function readManifest(text: string) {
  return parseAllDocuments(text).map((document) => {
    const resource: unknown = document.toJS();
    const { apiVersion, kind } = z.looseObject({ apiVersion: z.string(), kind: z.string() }).parse(resource);
    const problems = schemaOf(apiVersion, kind).safeParse(resource).error?.issues ?? [];
    return { kind, resource, problems: problems.map(({ path, message }) => `${path.join('.')}: ${message}`) };
  });
}

function schemaOf(apiVersion: string, kind: string) {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const name = `io.k8s.api.${group?.replace('.k8s.io', '')}.${version}.${kind}`;
  return z.fromJSONSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: SCHEMA.definitions,
    $ref: `#/definitions/${name}`,
  });
}

/** The manifest that operators apply. */
export const manifestText = await readFile(FILE, 'utf8');

const resources = readManifest(manifestText).map(({ resource }) => resource);

export const [deployment, budget, service, ingress] = z.tuple([DEPLOYMENT, BUDGET, SERVICE, INGRESS]).parse(resources);
