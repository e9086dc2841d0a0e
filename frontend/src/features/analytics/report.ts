import type { Analytics } from '@parley/contracts/platform/analytics'
import { periodLabels } from './analytics-labels.ts'

type Cell = string | number

const statNames = {
  totalMessages: 'Total Messages',
  messagesSent: 'Messages Sent',
  activeContacts: 'Active Contacts',
  botInteractions: 'Bot Interactions',
} as const satisfies Record<keyof Analytics['stats'], string>

/** Every figure of the period as rows of a spreadsheet: the counters, the days, the campaigns, the bots. */
function reportRows(
  { period, asOf, timeZone, from, to, stats, days, campaigns, bots }: Analytics,
  botName: (id: string) => string,
): Cell[][] {
  const blank: Cell[] = []
  return [
    ['Parley analytics', periodLabels[period]],
    ['From', from],
    ['To', to],
    ['Time zone', timeZone],
    ['As of', asOf],
    blank,
    ['Figure', 'Value', 'Change in %'],
    ...Object.entries(statNames).flatMap(([name, label]) => {
      const stat = stats[name as keyof typeof statNames]
      return stat ? [[label, stat.value, stat.changePercent ?? 'new']] : []
    }),
    blank,
    ['Day', 'Sent', 'Received', 'Total'],
    ...days.map(({ date, sent, received }) => [date, sent, received, sent + received]),
    blank,
    ['Campaign', 'Delivered', 'Opened', 'Clicked', 'Open rate in %'],
    ...campaigns.map(({ name, delivered, opened, clicked, openRate }) => [
      name,
      delivered,
      opened,
      clicked ?? '',
      openRate ?? '',
    ]),
    blank,
    ['Bot', 'Conversations', 'Resolved', 'Rate in %'],
    ...bots.map(({ id, conversations, resolved, rate }) => [botName(id), conversations, resolved, rate]),
  ]
}

/** The file as spreadsheets read it: UTF-8 with its mark, CRLF (RFC 4180), and no text that runs as a formula. */
export async function reportCsv(analytics: Analytics, botName: (id: string) => string): Promise<string> {
  const { default: papa } = await import('papaparse')
  return `\uFEFF${papa.unparse(reportRows(analytics, botName), { escapeFormulae: true, newline: '\r\n' })}\r\n`
}

export const reportFileName = ({ from, to }: Analytics): string => `parley-analytics-${from}-to-${to}.csv`
