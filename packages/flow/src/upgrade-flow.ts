import { type DraftFlow, draftFlowSchema, flowFormat } from '@parley/contracts/automation/flow'

type Settings = DraftFlow['nodes'][number]['settings']

/**
 * Reads a stored flow of any format as one of today's. Format 1 had no number: `contains` of a keyword is `word` now, a bot is
 * handed over to the queue where a member was named in words, and business hours have spans.
 * @throws ZodError for what is no flow, or of a later format.
 */
export function upgradeFlow(stored: unknown): DraftFlow {
  if (typeof stored !== 'object' || stored === null || 'format' in stored) return draftFlowSchema.parse(stored)
  const flow = draftFlowSchema.parse({ ...stored, format: flowFormat })
  return { ...flow, nodes: flow.nodes.map((node) => ({ ...node, settings: upgradeSettings(node.settings) })) }
}

function upgradeSettings(settings: Settings): Settings {
  switch (settings.kind) {
    case 'keyword':
      return settings['match'] === 'contains' ? { ...settings, match: 'word' } : settings
    case 'assign': {
      const { to } = settings
      if (typeof to !== 'string') return settings
      return { ...settings, to: { kind: 'queue' }, ...(to.trim() !== '' && { note: `For ${to.trim()}` }) }
    }
    case 'business_hours': {
      const { kind, timeZone, days, from, to, ...rest } = settings
      if ('hours' in rest) return settings
      const spans = (Array.isArray(days) ? days : []).map((day: unknown) => ({ day, from, to }))
      return { kind, hours: { use: 'own', timeZone, spans, closedOn: [] } }
    }
    default:
      return settings
  }
}
