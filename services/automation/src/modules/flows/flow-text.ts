import { createHash } from 'node:crypto'
import type { DraftFlow } from '@parley/contracts/automation/flow'
import { upgradeFlow } from '@parley/flow/upgrade-flow'

export const flowText = (flow: DraftFlow): string => JSON.stringify(flow)

/** Reads a stored flow, whatever its format. */
export const readFlow = (text: string): DraftFlow => upgradeFlow(JSON.parse(text))

/** Returns the connections that the steps of a flow call. */
export const connectionsOf = ({ nodes }: DraftFlow): string[] => [
  ...new Set(
    nodes.flatMap(({ settings }) =>
      settings.kind === 'http_call' && typeof settings['connectionId'] === 'string' ? settings['connectionId'] : [],
    ),
  ),
]

/** Returns the digest of a flow's behaviour and texts: places of nodes, and the order of lists, do not count. */
export function flowHash({ nodes, edges }: DraftFlow): string {
  const lines = [
    ...nodes.map(({ position: _place, ...node }) => sorted(node)),
    ...edges.map(({ source, branch, target }) => sorted({ source, branch, target })),
  ]
  return createHash('sha256').update(lines.sort().join('\n')).digest('base64url')
}

const sorted = (value: object): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )
