import { z } from 'zod'
import { type Manifest, ofKind } from './render.ts'

const peerSchema = z.looseObject({
  podSelector: z.looseObject({ matchLabels: z.record(z.string(), z.string()).default({}) }).optional(),
})
const ruleSchema = z.object({
  ports: z.array(z.object({ protocol: z.string(), port: z.union([z.string(), z.number()]) })).default([]),
  from: z.array(peerSchema).optional(),
  to: z.array(peerSchema).optional(),
})
const policySchema = z.object({
  podSelector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
  policyTypes: z.array(z.string()),
  ingress: z.array(ruleSchema).default([]),
  egress: z.array(ruleSchema).default([]),
})

const componentLabel = 'app.kubernetes.io/component'

/** One line for each permission: who may reach which port of a component, or which port of whom it may reach. */
export function permissions(manifests: readonly Manifest[]): string[] {
  return ofKind(manifests, 'NetworkPolicy').flatMap(({ spec }) => {
    const { podSelector, ingress, egress } = policySchema.parse(spec)
    const component = podSelector.matchLabels[componentLabel] ?? 'all'
    return [
      ...ingress.flatMap(({ from, ports }) => lines(from, ports, (peer, port) => `${peer} → ${component}:${port}`)),
      ...egress.flatMap(({ to, ports }) => lines(to, ports, (peer, port) => `${component} → ${peer}:${port}`)),
    ]
  })
}

function lines(
  peers: z.infer<typeof ruleSchema>['to'],
  ports: z.infer<typeof ruleSchema>['ports'],
  line: (peer: string, port: string | number) => string,
): string[] {
  const names = peers ? peers.map(nameOf) : ['anybody']
  return names.flatMap((peer) => ports.map(({ port }) => line(peer, port)))
}

/** A component of the release by its name, anything else as it is written. */
function nameOf(peer: z.infer<typeof peerSchema>): string {
  const labels = peer.podSelector?.matchLabels ?? {}
  const own = !('namespaceSelector' in peer) && labels['app.kubernetes.io/name'] === 'parley'
  return (own && labels[componentLabel]) || JSON.stringify(peer)
}

/** Whether a policy without any rule selects every pod of the release, for both directions. */
export function deniesByDefault(manifests: readonly Manifest[]): boolean {
  return ofKind(manifests, 'NetworkPolicy').some(({ spec }) => {
    const { podSelector, policyTypes, ingress, egress } = policySchema.parse(spec)
    return (
      !(componentLabel in podSelector.matchLabels) && policyTypes.length === 2 && ingress.length + egress.length === 0
    )
  })
}
