import type { Analytics } from '@parley/contracts/platform/analytics'
import { periodLabels } from './analytics-labels.ts'

type Cell = string | number

const statNames = {
  totalMessages: 'Total Messages',
  messagesSent: 'Messages Sent',
  activeContacts: 'Active Contacts',
  botInteractions: 'Bot Interactions',
} as const satisfies Record<keyof Analytics['stats'], string>

const day = (at: string) => at.slice(0, 10)

/** Every figure of the period as rows of a spreadsheet: the counters, the days, the campaigns, the bots. */
function reportRows({ period, from, to, stats, days, campaigns, bots }: Analytics): Cell[][] {
  const blank: Cell[] = []
  return [
    ['Parley analytics', periodLabels[period]],
    ['From', day(from)],
    ['To', day(to)],
    blank,
    ['Figure', 'Value', 'Change in %'],
    ...Object.entries(statNames).map(([name, label]) => {
      const { value, changePercent } = stats[name as keyof typeof statNames]
      return [label, value, changePercent]
    }),
    blank,
    ['Day', 'Sent', 'Received', 'Total'],
    ...days.map(({ at, sent, received }) => [day(at), sent, received, sent + received]),
    blank,
    ['Campaign', 'Delivered', 'Opened', 'Clicked', 'Open rate in %'],
    ...campaigns.map(({ name, delivered, opened, clicked, openRate }) => [name, delivered, opened, clicked, openRate]),
    blank,
    ['Bot', 'Conversations', 'Resolved', 'Rate in %'],
    ...bots.map(({ name, conversations, resolved, rate }) => [name, conversations, resolved, rate]),
  ]
}

/** The file as spreadsheets read it: UTF-8 with its mark, CRLF (RFC 4180), and no text that runs as a formula. */
export async function reportCsv(analytics: Analytics): Promise<string> {
  const { default: papa } = await import('papaparse')
  return `\uFEFF${papa.unparse(reportRows(analytics), { escapeFormulae: true, newline: '\r\n' })}\r\n`
}

export const reportFileName = ({ from, to }: Analytics): string => `parley-analytics-${day(from)}-to-${day(to)}.csv`
