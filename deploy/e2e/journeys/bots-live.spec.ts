import { createBot, flowOf } from '../src/bots.ts'
import { bubble, details, field, messages, priya, row } from '../src/inbox.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

/** Keyword `tea` → a question with two buttons → a text, or a person. */
const flow = flowOf(
  {
    Tea: ['trigger', { kind: 'keyword', keywords: ['tea'], match: 'word', interrupts: false }],
    Question: [
      'action',
      {
        kind: 'buttons',
        text: 'Green or black?',
        choices: [
          { id: 'green', title: 'Green' },
          { id: 'person', title: 'Ask a person' },
        ],
      },
    ],
    Answer: ['action', { kind: 'send_text', text: 'Sencha is the one to try.' }],
    Person: ['action', { kind: 'assign', to: { kind: 'queue' } }],
    End: ['action', { kind: 'end' }],
  },
  ['Tea:next:Question', 'Question:green:Answer', 'Question:person:Person', 'Answer:next:End'],
)

test('a bot answers, falls silent for people, and is back when the conversation is closed @gate', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const { id } = await createBot(page.request, app, { name: 'Tea finder', draft: flow })
  // A customer’s tap quotes the question, but has no buttons.
  const asked = () => messages(page).getByText('Ask a person', { exact: true })

  await test.step('publish it', async () => {
    await page.goto(`/bots?bot=${id}`)
    await expect(page.getByText('Not published')).toBeVisible()
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Tea finder' })
    await expect(dialog.getByRole('checkbox', { name: 'Start the bot now' })).toBeChecked()
    for (const box of await dialog.getByRole('checkbox', { name: /^Accept: / }).all()) await box.check()
    await dialog.getByRole('button', { name: 'Publish and Start' }).click()
    await expect(toast(page, 'Version 1 of Tea finder is published and running.')).toBeVisible()
    await expect(page.getByText('Version 1 runs')).toBeVisible()
  })

  await test.step('a customer writes and gets its question; the tap is answered', async () => {
    await phones.write(priya, 'Which TEA do you have?')
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await expect(asked()).toHaveCount(1)
    await expect(details(page).getByText('Answered by Tea finder')).toBeVisible()
    await phones.press(priya, 'Green')
    await expect(bubble(page, 'Sencha is the one to try.')).toBeVisible()
  })

  await test.step('the session stands in the bot’s list, with its steps', async () => {
    await page.goto(`/bots?bot=${id}&panel=sessions`)
    await page.getByText('Ended', { exact: true }).click()
    await page.getByRole('button', { name: new RegExp(priya.name) }).click()
    await expect(page.getByRole('list', { name: 'Steps' })).toContainText('Answer')
  })

  await test.step('a member’s reply ends the bot’s turn', async () => {
    await phones.write(priya, 'tea please')
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await expect(asked()).toHaveCount(2)
    await field(page).fill('Hello, this is Ann.')
    await field(page).press('Enter')
    await expect(bubble(page, 'Hello, this is Ann.')).toBeVisible()
    await phones.write(priya, 'tea, thanks')
    await expect(bubble(page, 'tea, thanks')).toBeVisible()
    await expect(details(page).getByText('Answered by Tea finder')).toHaveCount(0)
    await expect(asked()).toHaveCount(2)
  })

  await test.step('closed, the conversation is the bot’s again; an answer from the phone ends its turn too', async () => {
    await page.getByRole('button', { name: 'Close conversation' }).click()
    await expect(toast(page, `The conversation with ${priya.name} is closed`)).toBeVisible()
    await phones.write(priya, 'any tea?')
    await row(page, priya.name).click()
    await expect(asked()).toHaveCount(3)
    await phones.control('/echo', { ...phones.customer(priya), type: 'text', text: { body: 'From my own phone' } })
    await expect(bubble(page, 'From my own phone')).toBeVisible()
    await phones.press(priya, 'Green')
    await expect(
      messages(page)
        .getByRole('listitem')
        .filter({ hasText: /^Green/ })
        .last(),
    ).toBeVisible()
    await expect(bubble(page, 'Sencha is the one to try.')).toHaveCount(1)
  })

  await test.step('closed after the echo, the customer is back at the bot', async () => {
    await page.getByRole('button', { name: 'Close conversation' }).click()
    await phones.write(priya, 'tea again')
    await row(page, priya.name).click()
    await expect(asked()).toHaveCount(4)
    await expect(details(page).getByText('Answered by Tea finder')).toBeVisible()
  })
})
