import papa from 'papaparse'
import { expect, test } from 'vitest'
import { analyticsOf } from '../../testing/workspace/analytics.ts'
import { createWorkspace } from '../../testing/workspace/workspace.ts'
import { changeText, daysText, dayText, rateText } from './analytics-labels.ts'
import { reportCsv, reportFileName, teamCsv, teamFileName } from './report.ts'

const at = new Date('2026-03-08T22:15:00.000Z')
const analytics = analyticsOf(createWorkspace(), { period: '30d', scope: 'workspace', at })
const botName = (id: string) => `Name of ${id}`
const scopeName = (scope: string) => (scope === 'workspace' ? 'Everything' : 'Support: Berlin')

test('the report holds every figure of the period', async () => {
  const text = await reportCsv(analytics, botName, scopeName)
  expect(text.startsWith('\uFEFF')).toBe(true)
  const { data } = papa.parse<string[]>(text.slice(1), { skipEmptyLines: true })
  expect(data).toContainEqual(['Total Messages', '12486', '12.5'])
  expect(data).toContainEqual(['Time zone', 'Asia/Kolkata'])
  for (const { date, sent, received } of analytics.days)
    expect(data).toContainEqual([date, `${sent}`, `${received}`, `${sent + received}`])
  for (const { id, conversations, resolved, rate } of analytics.bots)
    expect(data).toContainEqual([botName(id), `${conversations}`, `${resolved}`, `${rate}`])
  for (const { name, delivered, opened, clicked, openRate } of analytics.campaigns)
    expect(data).toContainEqual([name, `${delivered}`, `${opened}`, `${clicked ?? ''}`, `${openRate}`])
  expect(data).toContainEqual(['Figures of', 'Everything'])
  expect(reportFileName(analytics, scopeName)).toBe('parley-analytics-2026-02-08-to-2026-03-09.csv')
})

test('the report of one number or member names it, and so does its file', async () => {
  const ofOne = { ...analytics, scope: 'number:n1' } as const
  expect(await reportCsv(ofOne, botName, scopeName)).toContain('Figures of,Support: Berlin')
  expect(reportFileName(ofOne, scopeName)).toBe('parley-analytics-Support-Berlin-2026-02-08-to-2026-03-09.csv')
})

test('a name that would run as a formula is only text, a fall stays a number', async () => {
  const { stats } = analytics
  const text = await reportCsv(
    {
      ...analytics,
      stats: {
        ...stats,
        totalMessages: { value: 1, changePercent: -3.5 },
        messagesSent: { value: 4, changePercent: null },
      },
    },
    () => '=HYPERLINK("http://x")',
    scopeName,
  )
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(text).toContain('Total Messages,1,-3.5')
  expect(text).toContain('Messages Sent,4,new')
})

test.each([
  [12.5, '30d', '12.5% more than last month'],
  [-3, '7d', '3% less than the previous 7 days'],
  [0, '90d', 'Same as the previous 90 days'],
  [null, '30d', 'New: nothing to compare with last month'],
] as const)('%s in %s reads %j', (change, period, text) => expect(changeText(change, { period }, 'en')).toBe(text))

test('days that end before today are named, and compared with those before them', () => {
  expect(changeText(4, { period: '30d', isPast: true }, 'en')).toBe('4% more than the 30 days before')
  expect(daysText('7d', '2026-03-03', 'en-GB')).toMatch(/^25 Feb\s–\s3 Mar 2026$/)
})

test('days are those of the bucket wherever the reader is, rates have one decimal', () => {
  expect(dayText('2026-03-08', 'short', 'en')).toBe('Sun')
  expect(dayText('2026-03-08', 'long', 'en-GB')).toContain('8 March')
  expect([rateText(74.04, 'en'), rateText(81.15, 'en')]).toEqual(['74.0%', '81.2%'])
})

test('the report of the team has a row for each member, whoever has left, with times in seconds', async () => {
  const { asOf, timeZone, from, to } = analytics
  const member = {
    userId: 'user-1',
    replied: 30,
    sent: 40,
    targeted: 8,
    missed: 2,
    closed: 5,
    timeToClose: { count: 4, median: { atMostSeconds: 7200 } },
    rating: { count: 4, average: 4.25 },
    open: 3,
  }
  const firstAnswer = { count: 30, median: { atMostSeconds: 300 }, p95: { atMostSeconds: null } }
  const idle = { ...member, userId: 'user-2', replied: 0, firstAnswer: null, timeToClose: null, rating: null }
  const members = [{ ...member, firstAnswer }, idle]
  const report = { asOf, timeZone, from, to, sampleIncluded: false, members }
  const text = await teamCsv(report, (id) => (id === 'user-1' ? '=Ann' : undefined))
  const { data } = papa.parse<string[]>(text.slice(1), { skipEmptyLines: true })
  expect(data.slice(-2)).toEqual([
    ["'=Ann", '30', '300', 'more than 86400', '8', '2', '5', '7200', '4', '4.25', '3', '40'],
    ['user-2', '0', '', '', '8', '2', '5', '', '0', '', '3', '40'],
  ])
  expect(teamFileName(report)).toBe('parley-team-2026-02-08-to-2026-03-09.csv')
})
