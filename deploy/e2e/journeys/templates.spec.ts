import type { Page } from '@playwright/test'
import { findTemplate } from '../src/find.ts'
import { inspect, inspectStanding } from '../src/inspect.ts'
import { card, expect, test, toast } from './fixtures.ts'

/** Accepts every warning about what WhatsApp may reject. */
async function acceptWarnings(page: Page): Promise<void> {
  const boxes = page.getByRole('group', { name: 'Before you send it' }).getByRole('checkbox')
  await expect(boxes.first()).toBeVisible()
  for (const box of await boxes.all()) await box.check()
}
const preview = (page: Page) => page.getByRole('figure', { name: 'Preview of the message' })

test('a template is written, sent for review, changed, copied, deleted and brought back @gate', async ({
  page,
  account: _account,
}) => {
  // The sample’s numbers are connected while one looks around.
  await page.goto('/whatsapp-numbers')
  await expect(page.getByText('Active', { exact: true }).filter({ visible: true })).toHaveCount(2)
  await page.goto('/templates')

  await test.step('what WhatsApp refuses is said beside the field, and nothing typed is lost', async () => {
    await page.getByRole('button', { name: 'Create Template' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.type('Spring Tea 2')
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('spring_tea_2')
    await page.getByLabel('Body', { exact: true }).fill('{{name}}, our *spring teas* have come.')
    await page.getByRole('button', { name: 'Create Template' }).click()
    await expect(page.getByText('The message cannot begin with a variable: put words before it')).toBeVisible()
    await expect(page.getByText('Enter a sample value')).toBeVisible()
    await expect(page.getByLabel('Body', { exact: true })).toHaveValue('{{name}}, our *spring teas* have come.')
  })

  await test.step('the preview shows it as WhatsApp does, with the sample values', async () => {
    await page.getByLabel('Body', { exact: true }).fill('Hello {{name}}, our *spring teas* have come. Taste them now.')
    await expect(preview(page).getByText('{{name}}')).toBeVisible()
    await page.getByLabel('Sample for {{name}}').fill('Asha')
    await expect(preview(page).getByText('Hello Asha, our')).toBeVisible()
    await expect(preview(page).locator('strong')).toHaveText('spring teas')
    await page.getByRole('button', { name: 'Open website' }).click()
    await page.getByLabel('Open website text').fill('See them')
    await page.getByLabel('Web address').fill('https://chaiandco.example/spring')
    await expect(preview(page).getByText('See them')).toBeVisible()
  })

  await test.step('leaving asks first', async () => {
    await page.goBack()
    await expect(page.getByText('Leave without saving?')).toBeVisible()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Create Template' }).click()
    await expect(page.getByText('Tick each of these to send the template as it is.')).toBeVisible()
    await acceptWarnings(page)
    await page.getByRole('button', { name: 'Create Template' }).click()
    await expect(toast(page, 'spring_tea_2 was sent for review')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('spring_tea_2')
    // WhatsApp’s verdict shows by itself.
    await expect(card(page, 'spring_tea_2').getByText('Approved')).toBeVisible()
    await expect(card(page, 'spring_tea_2').getByRole('button', { name: /^Use Template/ })).toBeEnabled()
  })

  await test.step('a test of it goes to one contact, and stands in the conversation', async () => {
    await page.getByRole('button', { name: 'Actions for spring_tea_2' }).click()
    await page.getByRole('menuitem', { name: 'Send Test' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send a test of spring_tea_2' })
    await dialog.getByRole('combobox', { name: 'To' }).fill('priya sharma')
    await page.getByTitle('Priya Sharma · +91 98200 00000').click()
    await dialog.getByLabel('{{name}}').fill('Kiran')
    await inspectStanding(page, '/templates, sending a test')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page).toHaveURL(/\/conversations/)
    await expect(page.getByText('Hello Kiran, our').last()).toBeVisible()
    await page.goto('/templates')
  })

  await test.step('a change of an approved one is reviewed again', async () => {
    await page.getByRole('button', { name: 'Actions for festive_hampers' }).click()
    await page.getByRole('menuitem', { name: 'Edit Template' }).click()
    await expect(page.getByText('Changes are reviewed again')).toBeVisible()
    await page.getByLabel('Footer').fill('Chai & Co')
    await acceptWarnings(page)
    await page.getByRole('button', { name: 'Send for review' }).click()
    await expect(toast(page, 'festive_hampers was sent for review')).toBeVisible()
    await expect(card(page, 'festive_hampers').getByText('Approved')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('festive_hampers')
  })

  await test.step('its versions stand beside each other, and the earlier one becomes the draft', async () => {
    await page.getByRole('button', { name: 'Actions for festive_hampers' }).click()
    await page.getByRole('menuitem', { name: 'Uses and Versions' }).click()
    const versions = page.getByRole('region', { name: 'Versions' })
    await expect(versions.getByText('Version 2')).toBeVisible()
    await inspectStanding(page, '/templates, uses and versions')
    await versions.getByRole('button', { name: 'Restore as draft' }).click()
    await expect(page.getByLabel('Footer')).toHaveValue(/STOP/)
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('festive_hampers')
    await inspectStanding(page, '/templates, a draft')
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await expect(page.getByText('Draft with the text of version 1')).toHaveCount(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('another language of it has its name', async () => {
    await page.getByRole('button', { name: 'Actions for festive_hampers' }).click()
    await page.getByRole('menuitem', { name: 'Add Language' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toBeDisabled()
    await page.getByRole('combobox', { name: 'Language' }).fill('Swahili')
    await page.getByTitle('Swahili').click()
    const body = 'Habari {{1}}, zawadi zetu za sikukuu zimefika. Karibu dukani wiki hii.'
    await page.getByLabel('Body', { exact: true }).fill(body)
    await page.getByRole('button', { name: 'Create Template' }).click()
    await acceptWarnings(page)
    await page.getByRole('button', { name: 'Create Template' }).click()
    await expect(toast(page, 'festive_hampers was sent for review')).toBeVisible()
    await expect(page.getByText('SW', { exact: true })).toBeVisible()
  })

  await test.step('duplicate begins with the text of the other', async () => {
    await page.getByRole('button', { name: 'Actions for flash_deal' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('flash_deal_copy')
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('delete can be undone', async () => {
    await page.getByRole('button', { name: 'Actions for flash_deal' }).click()
    await page.getByRole('menuitem', { name: /Delete$/ }).click()
    await expect(page.getByText('No campaign uses it.')).toBeVisible()
    await page.getByRole('button', { name: 'Delete Template' }).click()
    await expect(card(page, 'flash_deal')).toHaveCount(0)
    await toast(page, 'flash_deal deleted').getByRole('button', { name: 'Undo' }).click()
    await expect(card(page, 'flash_deal')).toBeVisible()
  })

  await test.step('an approved one leads to a new broadcast', async () => {
    await page.getByRole('button', { name: 'Use Template summer_sale' }).click()
    await expect(page).toHaveURL(`/broadcasts?new=1&template=${await findTemplate(page, 'summer_sale')}`)
    await expect(page.getByRole('heading', { name: 'Audience' })).toBeVisible()
  })
})

test('the list is searched and filtered by address; every state passes inspection', async ({
  page,
  account: _account,
}) => {
  await page.goto('/templates?status=approved&language=hi')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['festive_hampers'])
  await page.getByRole('button', { name: 'Remove filter Language: Hindi' }).click()
  await page.getByRole('searchbox', { name: 'Search templates' }).fill('kettle nothing')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/templates')
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(12)
  await page.goto('/templates?status=approved&category=marketing&language=en')
  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByRole('dialog', { name: 'Filter' }).getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL('/templates')
  // One step back undoes all of it.
  await page.goBack()
  await expect(page).toHaveURL('/templates?status=approved&category=marketing&language=en')
  await page.goForward()
  await page.getByRole('button', { name: 'Done' }).click()
  await inspect(page, 'templates')
  await page.goto(`/templates?edit=${await findTemplate(page, 'flash_deal')}`)
  await expect(page.getByText('WhatsApp rejected this template')).toBeVisible()
  await inspect(page, 'template editor')
  await page.goto('/templates?edit=gone')
  await page.getByRole('button', { name: 'Show all templates' }).click()
  await expect(page.getByRole('heading', { name: 'summer_sale' })).toBeVisible()
})
