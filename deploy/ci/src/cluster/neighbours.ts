/** Kinds of the Prometheus operator, without their schemas: only names and scope are checked here. */
const operatorKinds = [
  ['ServiceMonitor', 'servicemonitors'],
  ['PrometheusRule', 'prometheusrules'],
] as const

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

const room = { cpu: '64', memory: '256Gi', pods: '500' }
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'fake-0',
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': 'fake-0', 'kubernetes.io/os': 'linux', 'topology.kubernetes.io/zone': 'a' },
  },
  status: { allocatable: room, capacity: room },
}

/** Objects that the examples expect of a cluster: a node, the operator's kinds, and a priority class. */
export const neighbours = { apiVersion: 'v1', kind: 'List', items: [node, ...definitions, priority] }
export const definitionNames = definitions.map(({ metadata }) => `crd/${metadata.name}`)
