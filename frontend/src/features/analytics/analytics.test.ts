import { analyticsOf } from '@parley/sample/analytics'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import papa from 'papaparse'
import { expect, test } from 'vitest'
import { changeText, dayText, rateText } from './analytics-labels.ts'
import { reportCsv, reportFileName } from './report.ts'

const now = new Date('2026-03-08T22:15:00.000Z')
const analytics = analyticsOf(createSampleDataset({ now }), '30d')

test('the report holds every figure of the period', async () => {
  const text = await reportCsv(analytics)
  expect(text.startsWith('\uFEFF')).toBe(true)
  const { data } = papa.parse<string[]>(text.slice(1), { skipEmptyLines: true })
  expect(data).toContainEqual(['Total Messages', '12486', '12.5'])
  for (const { at, sent, received } of analytics.days)
    expect(data).toContainEqual([at.slice(0, 10), `${sent}`, `${received}`, `${sent + received}`])
  for (const { name, conversations, resolved, rate } of analytics.bots)
    expect(data).toContainEqual([name, `${conversations}`, `${resolved}`, `${rate}`])
  for (const { name, delivered, opened, clicked, openRate } of analytics.campaigns)
    expect(data).toContainEqual([name, `${delivered}`, `${opened}`, `${clicked}`, `${openRate}`])
  expect(reportFileName(analytics)).toBe('parley-analytics-2026-02-07-to-2026-03-08.csv')
})

test('a name that would run as a formula is only text, a fall stays a number', async () => {
  const [bot] = analytics.bots
  if (!bot) throw new Error('The story has no bot.')
  const { stats } = analytics
  const text = await reportCsv({
    ...analytics,
    bots: [{ ...bot, name: '=HYPERLINK("http://x")' }],
    stats: { ...stats, totalMessages: { value: 1, changePercent: -3.5 } },
  })
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(text).toContain('Total Messages,1,-3.5')
})

test.each([
  [12.5, '30d', '12.5% more than last month'],
  [-3, '7d', '3% less than the previous 7 days'],
  [0, '90d', 'Same as the previous 90 days'],
] as const)('%d in %s reads %j', (change, period, text) => expect(changeText(change, period, 'en')).toBe(text))

test('days are those of the bucket wherever the reader is, rates have one decimal', () => {
  expect(dayText('2026-03-08T00:00:00.000Z', 'short', 'en')).toBe('Sun')
  expect(dayText('2026-03-08T00:00:00.000Z', 'long', 'en-GB')).toContain('8 March')
  expect([rateText(74.04, 'en'), rateText(81.15, 'en')]).toEqual(['74.0%', '81.2%'])
})
