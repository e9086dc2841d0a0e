import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { z } from 'zod'
import { endSnooze } from '../src/database.ts'
import { findConversation } from '../src/find.ts'
import { bubble, customersWrite, field, messages, openInbox, priya, rahul, row } from '../src/inbox.ts'
import { connectPhones } from '../src/phones.ts'
import { colleague } from './colleague.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const sentSchema = z.object({
  items: z.array(z.looseObject({ direction: z.string(), content: z.looseObject({ body: z.string().optional() }) })),
})
const simulatedNumberSchema = z.object({ accessToken: z.string() })

test('a token that has ended stops what is sent, and a new one sends what waits, once', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await openInbox(page)
  await row(page, rahul.name).click()
  await expect(bubble(page, 'The guard at gate 2 has my parcel.')).toBeVisible()
  const answer = await page.request.get(numbersApi.list.path)
  const [number] = numbersApi.list.response.parse(await answer.json()).items
  if (!number) throw new Error('no number is connected')
  const text = 'It is on its way.'
  const accepted = async () => {
    const { items } = sentSchema.parse(await phones.look(`/messages?to=${rahul.phone.slice(1)}`))
    return items.filter(({ direction, content }) => direction === 'outbound' && content.body === text).length
  }

  await test.step('nothing leaves, and the bell says why', async () => {
    await phones.control('/token/expire', { phone_number_id: number.phoneNumberId })
    await field(page).fill(text)
    await field(page).press('Enter')
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await page.getByRole('link', { name: /needs attention.*access token/ }).click()
    await expect(page).toHaveURL(/configure=/)
    expect(await accepted()).toBe(0)
  })

  await test.step('with a new token the message leaves, once', async () => {
    // Another number of the account comes with a token that reaches them all.
    const other = await phones.control('/numbers', { accountId: number.businessAccountId, name: 'Another' })
    await page.getByRole('textbox', { name: 'Access Token' }).fill(simulatedNumberSchema.parse(other).accessToken)
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByRole('dialog', { name: /^Configure/ })).toBeHidden()
    await page.goto(`/conversations?id=${await findConversation(page, rahul.name)}`)
    await expect(bubble(page, text).getByRole('img', { name: /^(Delivered|Read)$/ })).toBeVisible()
    expect(await accepted()).toBe(1)
    await expect(bubble(page, text)).toHaveCount(1)
  })
})

test('what one puts aside goes from the colleague’s list as well, and is back for both', async ({
  page: ann,
  app,
  browser,
  account: _account,
}) => {
  const phones = await connectPhones(ann.request, app)
  await customersWrite(phones)
  const ben = await colleague(browser, app, ann)
  for (const page of [ann, ben]) {
    await page.goto('/conversations?show=open')
    await expect(row(page, priya.name)).toBeVisible()
  }
  await row(ann, priya.name).click()
  await row(ben, rahul.name).click()
  const snoozed = (page: typeof ann) =>
    page.getByRole('group', { name: 'Show' }).getByRole('button', { name: /^Snoozed/ })
  const putAside = async () => {
    await ann.getByRole('button', { name: 'Snooze conversation' }).click()
    await ann.getByRole('menuitem', { name: 'For 1 hour' }).click()
    await expect(row(ben, priya.name)).toHaveCount(0)
    for (const page of [ann, ben]) await expect(snoozed(page)).toHaveText('Snoozed1')
  }

  await test.step('it is back once its time has come', async () => {
    await putAside()
    await endSnooze(app, await findConversation(ann, priya.name))
    for (const page of [ann, ben]) {
      await expect(row(page, priya.name)).toBeVisible()
      await expect(snoozed(page)).toHaveText('Snoozed')
    }
    // The next one was opened meanwhile.
    await row(ann, priya.name).click()
    await expect(messages(ann).getByText('The snooze on this conversation ended')).toBeVisible()
  })

  await test.step('it is back as soon as the customer writes', async () => {
    await putAside()
    await phones.write(priya, 'I will take two of them.')
    for (const page of [ann, ben]) await expect(row(page, priya.name)).toContainText('I will take two of them.')
  })
  await ben.context().close()
})
