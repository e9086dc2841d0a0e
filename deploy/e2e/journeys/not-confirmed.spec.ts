import { z } from 'zod'
import { letDoubtAge } from '../src/database.ts'
import { bubble, customersWrite, field, openInbox, rahul, row } from '../src/inbox.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use(emptyWorkspaces)

const [waited, repeated] = ['Your parcel is at the gate.', 'The guard has it until six.'] as const
const sentSchema = z.object({
  items: z.array(z.looseObject({ direction: z.string(), content: z.looseObject({ body: z.string().optional() }) })),
})

test('an answer that is lost leaves a message in doubt: a person sends it again once, and late statuses mend it', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  await customersWrite(phones)
  await openInbox(page)
  await row(page, rahul.name).click()
  await expect(bubble(page, 'The guard at gate 2 has my parcel.')).toBeVisible()
  /** Returns how often WhatsApp has accepted each message. */
  const accepted = async () => {
    const items = sentSchema.parse(await phones.look(`/messages?to=${rahul.phone.slice(1)}`)).items
    const bodies = items.flatMap(({ direction, content }) => (direction === 'outbound' ? content.body : []))
    return [waited, repeated].map((text) => bodies.filter((body) => body === text).length)
  }

  await test.step('WhatsApp takes two messages, but no answer comes back', async () => {
    await phones.control('/webhooks', { paused: true })
    await phones.control('/inject', {
      to: rahul.phone,
      trigger: { kind: 'next', count: 2 },
      effect: { kind: 'reset' },
    })
    for (const text of [waited, repeated]) {
      await field(page).fill(text)
      await field(page).press('Enter')
      await expect(bubble(page, text)).toContainText('WhatsApp has not confirmed it yet.')
    }
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  })

  await test.step('after a quarter of an hour the bubbles say so, and the details what it may mean', async () => {
    await letDoubtAge(app, [waited, repeated])
    for (const text of [waited, repeated]) await expect(bubble(page, text)).toContainText('Not confirmed.')
    await bubble(page, repeated).getByRole('button', { name: 'Message actions' }).click()
    await page.getByRole('button', { name: 'Message details', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Message details' })
    await expect(dialog).toContainText('The customer may or may not have received the message.')
    expect(await accepted()).toEqual([1, 1])
  })

  await test.step('sent again by a person, it leaves exactly once more', async () => {
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(bubble(page, repeated)).not.toContainText('Not confirmed.')
    await expect.poll(accepted).toEqual([1, 2])
  })

  await test.step('the late statuses mend both bubbles, and nothing leaves any more', async () => {
    await phones.control('/webhooks', { paused: false })
    for (const text of [waited, repeated]) {
      await expect(bubble(page, text).getByRole('img', { name: /^(Delivered|Read)$/ })).toBeVisible()
      await expect(bubble(page, text)).not.toContainText(/confirmed/i)
    }
    expect(await accepted()).toEqual([1, 2])
  })
})
