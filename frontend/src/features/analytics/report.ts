import type { EndpointResponse } from '@parley/contracts/core/endpoint'
import { type Analytics, periodDays } from '@parley/contracts/platform/analytics'
import type { teamReportApi } from '@parley/contracts/platform/team-report'

type Cell = string | number
type TeamReport = EndpointResponse<typeof teamReportApi.read>

const statNames = {
  totalMessages: 'Total Messages',
  messagesSent: 'Messages Sent',
  activeContacts: 'Active Contacts',
  botInteractions: 'Bot Interactions',
} as const satisfies Record<keyof Analytics['stats'], string>

/** Every figure of the period as rows of a spreadsheet: the counters, the days, the campaigns, the bots. */
function reportRows(
  { period, scope, asOf, timeZone, from, to, stats, days, campaigns, bots }: Analytics,
  botName: (id: string) => string,
  scopeName: (scope: string) => string,
): Cell[][] {
  const blank: Cell[] = []
  return [
    ['Parley analytics', `${periodDays[period]} days`],
    ['Figures of', scopeName(scope)],
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

/** Answers of every member, times in seconds of opening hours: upper bounds, and nothing where none was answered. */
function teamRows(
  { asOf, timeZone, from, to, members, bots }: TeamReport,
  memberName: (id: string) => string | undefined,
): Cell[][] {
  const secondsOf = (time: { atMostSeconds: number | null } | undefined) =>
    time ? (time.atMostSeconds ?? 'more than 86400') : ''
  return [
    ['Parley analytics, team'],
    ['From', from],
    ['To', to],
    ['Time zone', timeZone],
    ['As of', asOf],
    [],
    [
      'Member',
      'Customers answered',
      'First answer in seconds, half of them',
      'First answer in seconds, 95 of 100',
      'Answers with a target',
      'Missed',
      'Conversations closed',
      'Time to close in seconds, half of them',
      'Ratings',
      'Average rating',
      'Open now',
      'Messages sent',
    ],
    ...members.map(({ userId, replied, firstAnswer, targeted, missed, closed, timeToClose, rating, open, sent }) => [
      memberName(userId) ?? userId,
      replied,
      secondsOf(firstAnswer?.median),
      secondsOf(firstAnswer?.p95),
      targeted,
      missed,
      closed,
      secondsOf(timeToClose?.median),
      rating?.count ?? 0,
      rating?.average ?? '',
      open,
      sent,
    ]),
    ...(bots ? [['Bots', bots.answered, '', '', '', '', bots.closed, '', '', '', '', bots.sent]] : []),
  ]
}

/** Every figure of a period as a file. @param scopeName names whose figures they are. */
export const reportCsv = (...report: Parameters<typeof reportRows>): Promise<string> => csvOf(reportRows(...report))

/** The team’s figures of a period as a file. */
export const teamCsv = (report: TeamReport, memberName: (id: string) => string | undefined): Promise<string> =>
  csvOf(teamRows(report, memberName))

/** The file as spreadsheets read it: UTF-8 with its mark, CRLF (RFC 4180), and no text that runs as a formula. */
async function csvOf(rows: Cell[][]): Promise<string> {
  const { default: papa } = await import('papaparse')
  return `\uFEFF${papa.unparse(rows, { escapeFormulae: true, newline: '\r\n' })}\r\n`
}

type Days = Pick<Analytics, 'from' | 'to'>
/** Returns the name of the file, with whose figures it has where they are not the workspace's. */
export function reportFileName(
  { scope, from, to }: Days & Pick<Analytics, 'scope'>,
  scopeName: (scope: string) => string,
): string {
  const name = scope === 'workspace' ? '' : `${scopeName(scope).replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')}-`
  return `parley-analytics-${name}${from}-to-${to}.csv`
}
export const teamFileName = ({ from, to }: Days): string => `parley-team-${from}-to-${to}.csv`
