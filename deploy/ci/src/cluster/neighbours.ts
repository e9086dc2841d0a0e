import { apply, kubectl } from './kubernetes.ts'

/** Kinds of the Prometheus operator, without their schemas: only names and scope are checked here. */
const operatorKinds = [
  ['ServiceMonitor', 'servicemonitors'],
  ['PrometheusRule', 'prometheusrules'],
] as const

/** What the examples expect of a cluster: the operator's kinds, and a priority class. */
export async function addNeighbours(): Promise<void> {
  const definitions = operatorKinds.map(([kind, plural]) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.monitoring.coreos.com` },
    spec: {
      group: 'monitoring.coreos.com',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  }))
  const priority = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
  }
  await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...definitions, priority] }))
  const names = definitions.map(({ metadata }) => `crd/${metadata.name}`)
  await kubectl('wait', '--for=condition=Established', '--timeout=60s', ...names)
}
