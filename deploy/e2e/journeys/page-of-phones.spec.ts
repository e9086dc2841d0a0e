import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import type { AppProcess } from '../src/app-process.ts'
import { emptyWorkspaces, expect, test } from './fixtures.ts'

const simulatedNumberSchema = z.object({ phoneNumberId: z.string(), accountId: z.string(), accessToken: z.string() })

test.use({
  ...emptyWorkspaces,
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    }),
})

/** Opens a business number of its own on the simulator; no app listens to it. */
async function openPage(page: Page, app: AppProcess) {
  const post = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${app.urls.simulator}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const simulatedNumber = simulatedNumberSchema.parse(await post('/sim/numbers', { name: 'Corner Shop' }))
  await page.goto(`${app.urls.simulator}/?number=${simulatedNumber.phoneNumberId}`)
  return {
    /** The business sends something. */
    send: (to: string, type: string, content: object) =>
      post(
        `/v26.0/${simulatedNumber.phoneNumberId}/messages`,
        { messaging_product: 'whatsapp', to, type, [type]: content },
        simulatedNumber.accessToken,
      ),
    /** Returns the messages that the customer has sent. */
    messages: async () => {
      const answer = await fetch(`${app.urls.simulator}/sim/messages?phone_number_id=${simulatedNumber.phoneNumberId}`)
      const { items } = z.object({ items: z.array(z.looseObject({ type: z.string() })) }).parse(await answer.json())
      return items
    },
  }
}

async function withoutViolations(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${what}: ${id}, ${nodes[0]?.html}`),
    what,
  ).toEqual([])
}

test('a customer is added, writes, edits, deletes, reacts and sends a place, by keyboard alone', async ({
  page,
  app,
}) => {
  const { send, messages } = await openPage(page, app)
  const phone = `9198${String(Date.now()).slice(-8)}`
  const keys = (...names: string[]) =>
    names.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

  await test.step('a dialog asks who it is and says what is wrong; Escape gives the focus back', async () => {
    const add = page.getByRole('button', { name: 'New customer' })
    await add.focus()
    await keys('Enter')
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await keys('Escape')
    await expect(add).toBeFocused()
    await keys('Enter')
    await page.getByLabel('Name', { exact: true }).fill('Asha')
    await keys('Tab')
    await page.getByLabel('Phone number').fill('12')
    await keys('Enter')
    await expect(page.getByRole('alert')).toHaveText('Enter a phone number with its country code.')
    await withoutViolations(page, 'new customer')
    await page.getByLabel('Phone number').fill(phone)
    await keys('Enter')
    await expect(page.getByRole('region', { name: 'Phone of Asha' })).toBeVisible()
  })

  await test.step('a message is written, then edited where it was written', async () => {
    await page.getByRole('textbox', { name: 'Message' }).focus()
    await page.keyboard.type('Helo')
    await keys('Enter')
    await page.getByRole('button', { name: 'Actions for this message' }).focus()
    await keys('Enter')
    await expect(page.getByRole('menuitemcheckbox', { name: /React with/ }).first()).toBeFocused()
    await page.getByRole('menuitem', { name: 'Edit' }).focus()
    await keys('Enter')
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await keys('Enter')
    await expect(page.getByText('Edited')).toBeVisible()
  })

  await test.step('the answer of the business is read and reacted to', async () => {
    await send(phone, 'text', { body: 'Good morning' })
    await expect(page.getByText('Good morning').last()).toBeVisible()
    await page.getByRole('button', { name: 'Actions for this message' }).last().focus()
    await keys('Enter')
    await expect(page.getByRole('menuitemcheckbox', { name: /React with/ }).first()).toBeFocused()
    await keys('ArrowRight', 'Enter')
    await expect(page.getByLabel('Reactions')).toHaveText('❤️')
    await expect.poll(async () => (await messages()).find(({ type }) => type === 'reaction')).toBeDefined()
  })

  await test.step('a place is chosen, or entered by its coordinates', async () => {
    await page.getByRole('button', { name: 'Attach' }).focus()
    await keys('Enter')
    await expect(page.getByRole('menuitem', { name: 'Photo or video' })).toBeFocused()
    await keys('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
    await expect(page.getByRole('radio', { name: /Gateway of India/ })).toBeFocused()
    await keys('ArrowUp')
    await page.getByLabel('Latitude').fill('91')
    await keys('Enter')
    await expect(page.getByRole('alert')).toContainText('latitude')
    await page.getByLabel('Latitude').fill('48.8584')
    await page.getByLabel('Longitude').fill('2.2945')
    await keys('Enter')
    await expect(page.getByText('48.8584, 2.2945')).toBeVisible()
    expect((await messages()).at(-1)).toMatchObject({ content: { latitude: 48.8584, longitude: 2.2945 } })
  })

  await test.step('a message is deleted for everyone, after a question', async () => {
    await page.getByRole('button', { name: 'Actions for this message' }).first().focus()
    await keys('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).focus()
    await keys('Enter')
    await page.getByRole('button', { name: 'Delete for everyone' }).focus()
    await keys('Enter')
    await expect(page.getByText('You deleted this message')).toBeVisible()
  })

  await test.step('nothing of it is hard to reach or to read, dark and light, large and small', async () => {
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await withoutViolations(page, `phone, ${width} px, ${colorScheme}`)
      }
    }
    await page.setViewportSize({ width: 320, height: 700 })
    const sideways = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await expect.poll(sideways).toBeLessThanOrEqual(0)
  })
})

test('a voice note is recorded, requests and forms of the business are answered, an expired token is a switch', async ({
  page,
  app,
}) => {
  const { send, messages } = await openPage(page, app)
  await page.getByRole('button', { name: 'New customer' }).click()
  const phone = (await page.getByLabel('Phone number').inputValue()).replace(/\D/g, '')
  await page.getByRole('button', { name: 'Add customer' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
  await page.keyboard.press('Enter')

  await test.step('voice: Ogg with Opus that the browser itself can play', async () => {
    await page.getByRole('button', { name: 'Record a voice note' }).click()
    await expect(page.getByText(/Recording\s+(?!0:00)\d+:\d\d/)).toBeVisible()
    await page.getByRole('button', { name: 'Send the voice note' }).click()
    const note = page.getByLabel('Voice message')
    await expect(note).toBeVisible()
    await expect.poll(() => note.evaluate((audio) => (audio as HTMLAudioElement).duration)).toBeGreaterThan(0.5)
    const magic = await note.evaluate(async (audio) => (await fetch((audio as HTMLAudioElement).src)).text())
    expect(magic.slice(0, 4)).toBe('OggS')
    expect(magic).toContain('OpusHead')
    expect((await messages()).at(-1)).toMatchObject({ type: 'audio', content: { voice: true } })
  })

  await test.step('a request for the location and a form', async () => {
    const action = { name: 'send_location' }
    await send(phone, 'interactive', { type: 'location_request_message', body: { text: 'Where are you?' }, action })
    await page.getByRole('button', { name: 'Send location' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const log = page.getByRole('log', { name: 'Messages' })
    await expect(log.getByText('Apollo Bandar, Colaba, Mumbai')).toBeVisible()
    const parameters = { flow_message_version: '3', flow_id: '1', flow_cta: 'Book a visit', flow_token: 't' }
    await send(phone, 'interactive', { type: 'flow', body: { text: 'Visit us' }, action: { name: 'flow', parameters } })
    await page.getByRole('button', { name: 'Book a visit' }).click()
    await page.getByRole('textbox', { name: 'Answer' }).fill('Monday')
    await page.getByRole('button', { name: 'Complete' }).click()
    await expect(page.getByText('Form completed').first()).toBeVisible()
  })

  await test.step('a template with a document shows a document', async () => {
    const document = { link: 'https://shop.example.com/a.pdf', filename: 'Price list.pdf' }
    const header = { type: 'document', document }
    const buttons = [{ type: 'reply', reply: { id: '1', title: 'Thanks' } }]
    await send(phone, 'interactive', { type: 'button', header, body: { text: 'As asked' }, action: { buttons } })
    await expect(page.getByRole('link', { name: /Price list\.pdf/ })).toBeVisible()
  })

  await test.step('an expired token refuses the business until everything is put back', async () => {
    await page.getByRole('switch', { name: 'Token has expired' }).check()
    await expect(page.getByRole('button', { name: 'Reset all' })).toBeVisible()
    expect(await send(phone, 'text', { body: 'x' })).toMatchObject({ error: { code: 190, error_subcode: 463 } })
    await page.getByRole('button', { name: 'Reset all' }).click()
    await expect(page.getByRole('switch', { name: 'Token has expired' })).not.toBeChecked()
    expect(await send(phone, 'text', { body: 'Here again' })).toMatchObject({ messages: [{}] })
    await expect(page.getByText('Here again').last()).toBeVisible()
  })
})
