import { numbersApi } from '@parley/contracts/channel/number-endpoints'
import { callAsPage } from '../src/accounts.ts'
import { createBot, flowOf } from '../src/bots.ts'
import { bubble, messages, priya, row } from '../src/inbox.ts'
import { inspect } from '../src/inspect.ts'
import { connectPhones } from '../src/phones.ts'
import { emptyWorkspaces, expect, test, toast } from './fixtures.ts'

test.use(emptyWorkspaces)

/** A form, and a text with what was entered in it. */
const flow = flowOf(
  {
    Visit: ['trigger', { kind: 'keyword', keywords: ['visit'], match: 'word', interrupts: false }],
    Booking: ['action', { kind: 'form', text: 'When would you like to come?', button: 'Book now', formId: '' }],
    Thanks: ['action', { kind: 'send_text', text: 'See you on {{session.Wanted day}}.' }],
    Person: ['action', { kind: 'assign', to: { kind: 'queue' } }],
  },
  ['Visit:next:Booking', 'Booking:next:Thanks', 'Booking:invalid:Person', 'Booking:timeout:Person'],
)

test('a bot sends a form of the account, and uses what the customer has entered', async ({
  page,
  app,
  account: _account,
}) => {
  const phones = await connectPhones(page.request, app)
  const { id } = await createBot(page.request, app, { name: 'Visits', draft: flow })
  const inspector = page.getByRole('complementary', { name: 'Inspector' })

  await test.step('choose the form in its node', async () => {
    await page.goto(`/bots?bot=${id}`)
    await page.locator('.react-flow__node').filter({ hasText: 'Booking' }).click()
    await inspector.getByRole('button', { name: 'Look for new forms' }).click()
    await expect(inspector.getByText('There is no form to choose.', { exact: false })).toHaveCount(0)
    await inspector.getByRole('combobox', { name: 'Form', exact: true }).click()
    await page.getByTitle('Book a visit', { exact: true }).click()
    await inspect(page, 'the settings of a form')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(page, 'Changes saved.')).toBeVisible()
  })

  await test.step('try it out', async () => {
    await page.getByRole('button', { name: 'Test Bot' }).click()
    await page.getByLabel('Message as a customer').fill('A visit, please')
    await page.getByRole('button', { name: 'Send as a customer' }).click()
    const answers = page.getByRole('form', { name: 'Answers of the form' })
    await expect(answers.getByLabel('Question 1')).toHaveValue('Wanted day')
    await answers.getByLabel('Answer 1').fill('Friday')
    await answers.getByRole('button', { name: 'Send the form' }).click()
    await expect(page.getByRole('log')).toContainText('See you on Friday.')
    await page.getByRole('button', { name: 'Close test' }).click()
  })

  await test.step('publish it', async () => {
    await page.getByRole('button', { name: 'Publish' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish Visits' })
    await expect(dialog.getByRole('button', { name: 'Publish and Start' })).toBeVisible()
    for (const box of await dialog.getByRole('checkbox', { name: /^Accept: / }).all()) await box.check()
    await dialog.getByRole('button', { name: 'Publish and Start' }).click()
    await expect(toast(page, 'Version 1 of Visits is published and running.')).toBeVisible()
  })

  await test.step('the customer fills it in on their phone', async () => {
    const numbers = await callAsPage(page.request, app, { method: 'GET', path: numbersApi.list.path })
    const [number] = numbersApi.list.response.parse(await numbers.json()).items
    await phones.write(priya, 'I plan a visit')
    const phone = await page.context().newPage()
    await phone.goto(number?.phonePageUrl ?? '')
    await phone
      .getByRole('button', { name: new RegExp(priya.name) })
      .first()
      .click()
    await phone.getByRole('button', { name: 'Book now' }).click()
    await phone.getByRole('textbox', { name: 'Field' }).fill('wanted_day')
    await phone.getByRole('textbox', { name: 'Answer' }).fill('Monday')
    await phone.getByRole('button', { name: 'Complete' }).click()
    await expect(phone.getByText('See you on Monday.').last()).toBeVisible()
    await phone.close()
  })

  await test.step('the conversation shows form and answers', async () => {
    await page.goto('/conversations')
    await row(page, priya.name).click()
    await expect(bubble(page, 'See you on Monday.')).toBeVisible()
    await expect(messages(page).getByText('Book now')).toBeVisible()
    await expect(messages(page).getByText('Wanted day')).toBeVisible()
    await inspect(page, 'a form and its answers')
  })
})
