import { readFileSync } from 'node:fs'
import { analyticsApi } from '@parley/contracts/platform/analytics'
import { dashboardApi } from '@parley/contracts/platform/dashboard'
import { type RowMetric, rowMetrics } from '@parley/contracts/platform/figure-rows'
import type { MemberReport } from '@parley/contracts/platform/team-report'
import type { Locator, Page } from '@playwright/test'
import { bubble, field, priya, row } from '../src/inbox.ts'
import { connectPhones } from '../src/phones.ts'
import { expect, test } from './fixtures.ts'

/** Target of a number: the rows that it is the sum of, or the screen that lists them. */
type Opens = RowMetric | RegExp
/** Name of a number, as its link says it, and what it opens. */
type Place = readonly [what: string, opens: Opens]

/** Every number of the contracts. A new one has no place here: the types fail, and so does the journey. */
const onDashboard: Record<string, Place> = {
  totalMessages: ['what Total Messages is made of', 'totalMessages'],
  activeCampaigns: ['what Active Campaigns is made of', /\/broadcasts\?status=active/],
  responseRate: ['what Response Rate is made of', 'waits'],
}
const onAnalytics: Record<string, Place> = {
  totalMessages: ['rows of Total Messages', 'totalMessages'],
  messagesSent: ['rows of Messages Sent', 'messagesSent'],
  activeContacts: ['contacts of these days', /\/contacts\?last=30d/],
  botInteractions: ['rows of Bot Interactions', 'botInteractions'],
}
const ofMembers: Record<
  keyof Omit<MemberReport, 'userId' | 'name' | 'firstAnswer' | 'targeted' | 'timeToClose'>,
  Place
> = {
  replied: ['rows of customers answered by', 'replied'],
  missed: ['rows of missed targets of', 'missed'],
  closed: ['rows of conversations closed by', 'closed'],
  rating: ['rows of ratings of', 'ratings'],
  sent: ['rows of messages sent by', 'messagesSent'],
  open: ['open conversations of', /\/conversations\?owner=\w+&show=open/],
}
/** Numbers of the tables below the cards: of days, of bots and of campaigns. */
const ofTables: Record<string, Place> = {
  sent: ['rows of sent on', 'messagesSent'],
  received: ['rows of received on', 'received'],
  conversations: ['rows of conversations of', 'botInteractions'],
  resolved: ['rows of resolved by', 'resolved'],
  delivered: ['recipients of .*, delivered', /\/broadcasts\?id=\w+&recipients=delivered/],
  opened: ['recipients of .*, read', /\/broadcasts\?id=\w+&recipients=read/],
}

test('every number of dashboard and analytics opens what it is the sum of, and rows are exported', async ({
  page,
  app,
  account: _account,
}) => {
  test.slow()
  expect(Object.keys(dashboardApi.read.response.shape.stats.shape)).toEqual(Object.keys(onDashboard))
  expect(Object.keys(analyticsApi.read.response.shape.stats.shape)).toEqual(Object.keys(onAnalytics))
  const opened = new Set<string>()
  const phones = await connectPhones(page.request, app)

  await test.step('a customer is answered by a member', async () => {
    await phones.write(priya, 'Is the blue kettle in stock?')
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await field(page).fill('It is, in both sizes.')
    await field(page).press('Enter')
    await expect(
      bubble(page, 'It is, in both sizes.').getByRole('img', { name: /^(Sent|Delivered|Read)/ }),
    ).toBeVisible()
    await page.goto('/analytics?tab=team')
    await expect(numberOf(page, ofMembers.replied[0])).toHaveText(/^1\b/)
  })

  for (const [screen, places] of [
    ['/dashboard', onDashboard],
    ['/analytics', onAnalytics],
    ['/analytics?view=table', ofTables],
    ['/analytics?tab=team', ofMembers],
  ] as const)
    for (const [what, opens] of Object.values<Place>(places))
      await test.step(`${screen}: ${what}`, async () => {
        await page.goto(screen)
        const number = numberOf(page, what)
        await expect(number).toBeVisible()
        const shown = /^[\d,]+(?![\d.]*%)/.exec((await number.innerText()).trim())?.[0]
        await number.click()
        if (opens instanceof RegExp) return await expect(page).toHaveURL(opens)
        await expect(page).toHaveURL(new RegExp(`rows=${opens}`))
        await expectRows(page, shown)
        opened.add(opens)
      })
  expect([...opened].toSorted()).toEqual([...rowMetrics].toSorted())

  await test.step('no other number stands there', async () => {
    await page.goto('/analytics?view=table')
    await expect(numberOf(page, ofTables['resolved']?.[0] ?? '')).toBeVisible()
    const loose = await page
      .getByRole('cell')
      .evaluateAll((cells) =>
        cells.flatMap((cell) =>
          /^[\d,]+$/.test(cell.textContent?.trim() ?? '') && !cell.querySelector('a') ? [cell.outerHTML] : [],
        ),
      )
    expect(loose).toEqual([])
  })
})

const numberOf = (page: Page, what: string): Locator =>
  page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(what) })
    .first()

/** Checks that the drawer tells the same number, and exports its rows. */
async function expectRows(page: Page, shown: string | undefined): Promise<void> {
  const drawer = page.getByRole('dialog')
  const about = drawer.getByText(/ by days of /)
  await expect(about).toContainText(shown === undefined ? /^[\d,]+ from / : `${shown} from `)
  const rows = drawer.getByRole('list', { name: 'Rows' }).getByRole('listitem')
  const isEmpty = drawer.getByText('No row is stored for these days.')
  await expect(rows.first().or(isEmpty)).toBeVisible()
  const isListed = await rows.first().isVisible()
  const downloading = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Export rows' }).click()
  const lines = readFileSync(await (await downloading).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(lines.length > 1).toBe(isListed)
}
