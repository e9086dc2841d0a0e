import { z } from 'zod'
import { bubble, field, messages, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

test.use({
  ...emptyWorkspaces,
  launchOptions: ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    }),
})

const sentSchema = z.object({
  items: z.array(z.object({ direction: z.string(), type: z.string(), content: z.unknown() })),
})

test('a member sends buttons, a list, a place, a contact card and a voice note', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const arrived = async (type: string) => {
    const { items } = sentSchema.parse(await phones.look(`/messages?to=${encodeURIComponent(priya.phone)}`))
    return JSON.stringify(items.filter((item) => item.direction === 'outbound' && item.type === type))
  }
  const add = async (what: string) => {
    await page.getByRole('button', { name: 'Add buttons, a list, a place or a contact' }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await phones.write(priya, 'Which tea do you have?')
  await page.goto('/conversations')
  await row(page, priya.name).click()
  await expect(field(page)).toBeVisible()

  await test.step('reply buttons; the customer’s tap is in the thread', async () => {
    await add('Reply buttons')
    const dialog = page.getByRole('dialog', { name: 'Send reply buttons' })
    await dialog.getByRole('button', { name: 'Send question' }).click()
    await expect(dialog.getByText('Enter the question.')).toBeVisible()
    await dialog.getByLabel('Question').fill('Green or black?')
    await dialog.getByLabel('Button 1', { exact: true }).fill('Green')
    await dialog.getByLabel('Button 2', { exact: true }).fill('Black')
    await inspect(page, 'reply buttons')
    await dialog.getByRole('button', { name: 'Send question' }).click()
    await expect(bubble(page, 'Green or black?')).toContainText('Black')
    await phones.press(priya, 'Green')
    await expect(messages(page).getByText('Chose an option')).toBeVisible()
  })

  await test.step('a list of choices with descriptions', async () => {
    await add('List of choices')
    const dialog = page.getByRole('dialog', { name: 'Send a list of choices' })
    await dialog.getByLabel('Question').fill('Which one?')
    await dialog.getByLabel('Choice 1', { exact: true }).fill('Sencha')
    await dialog.getByLabel('Description of choice 1').fill('Light, from Uji')
    await dialog.getByRole('button', { name: 'Remove choice 2' }).click()
    await dialog.getByLabel('Button that opens the list').fill('See teas')
    await dialog.getByRole('button', { name: 'Send question' }).click()
    await expect(bubble(page, 'Which one?')).toContainText('Light, from Uji')
    await expect.poll(() => arrived('interactive')).toContain('See teas')
  })

  await test.step('a place from a link of a map', async () => {
    await add('Location')
    const dialog = page.getByRole('dialog', { name: 'Send a location' })
    await dialog.getByLabel('Coordinates, or a link of a map').fill('https://maps.google.com/?q=18.92198,72.83465')
    await dialog.getByLabel('Name (optional)').fill('The shop')
    await dialog.getByRole('button', { name: 'Send location' }).click()
    await expect(bubble(page, 'The shop')).toBeVisible()
    await expect.poll(() => arrived('location')).toContain('72.83465')
  })

  await test.step('a contact card of a contact', async () => {
    await add('Contact card')
    const dialog = page.getByRole('dialog', { name: 'Send a contact card' })
    await dialog.getByLabel('Name', { exact: true }).fill('Asha Rao')
    await dialog.getByLabel('Phone number').fill('+91 98123 00009')
    await inspect(page, 'contact card')
    await dialog.getByRole('button', { name: 'Send contact card' }).click()
    await expect(bubble(page, 'Asha Rao')).toBeVisible()
    await expect.poll(() => arrived('contacts')).toContain('919812300009')
  })

  await test.step('a voice note: recorded, listened to, sent as one', async () => {
    await page.getByRole('button', { name: 'Record a voice note' }).click()
    await expect(page.getByRole('timer')).toHaveText(/0:0[1-9]/)
    await page.getByRole('button', { name: 'End the recording' }).click()
    const note = page.getByRole('list', { name: 'Attachments' })
    await expect(note.getByRole('group', { name: 'Voice message' })).toBeVisible()
    await inspect(page, 'voice note before it is sent')
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(messages(page).getByRole('group', { name: 'Voice message' })).toBeVisible()
    await expect.poll(() => arrived('audio')).toContain('"voice":true')
  })
})
