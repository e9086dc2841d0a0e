import type { DraftFlow, NodeSettings } from '@parley/contracts/automation/flow'
import { flowFormat, nodeTypeOf } from '@parley/contracts/automation/flow'
import { defaultTimeZone } from '@parley/contracts/core/time-zones'

interface Step {
  readonly label: string
  readonly settings: NodeSettings
}

/** Steps one below the other, each leading to the next. */
function column(steps: readonly Step[]): DraftFlow {
  const id = (index: number) => `node-${index + 1}`
  return {
    format: flowFormat,
    nodes: steps.map(({ label, settings }, index) => ({
      id: id(index),
      type: nodeTypeOf(settings.kind),
      label,
      description: '',
      position: { x: 0, y: index * 170 },
      settings,
    })),
    edges: steps.slice(1).map((_, index) => ({
      id: `edge-${index + 1}`,
      source: id(index),
      target: id(index + 1),
      branch: 'next',
    })),
  }
}

/** Monday to Friday, nine to six. */
export const workdays: readonly { day: number; from: string; to: string }[] = [1, 2, 3, 4, 5].map((day) => ({
  day,
  from: '09:00',
  to: '18:00',
}))

/** Initial flows of a new bot or workflow. */
export const starterFlows = {
  blank: { format: flowFormat, nodes: [], edges: [] },
  /** A keyword match, then send message, then a business-hours check. */
  sample: column([
    { label: 'Keyword match', settings: { kind: 'keyword', keywords: ['hello', 'hi'], match: 'word' } },
    {
      label: 'Send message',
      settings: { kind: 'send_text', text: 'Hi {{first_name|there}}! How can we help you today?' },
    },
    {
      label: 'Business hours',
      settings: {
        kind: 'business_hours',
        hours: { use: 'own', timeZone: defaultTimeZone, spans: [...workdays], closedOn: [] },
      },
    },
  ]),
  /** Greets new customers. */
  workflow: column([
    { label: 'Contact created', settings: { kind: 'event', event: 'contact.created' } },
    { label: 'Welcome message', settings: { kind: 'send_text', text: 'Welcome, {{first_name}}!' } },
    { label: 'Tag as lead', settings: { kind: 'add_tag', tag: 'lead' } },
  ]),
} as const satisfies Record<string, DraftFlow>
