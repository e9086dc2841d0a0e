import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'

const fill = async (label: string | RegExp, text: string) => {
  await userEvent.click(screen.getByLabelText(label))
  await userEvent.paste(text)
}

test('a carousel has the same kinds of buttons on each card, is checked while it is written, and saved', async () => {
  const server = stubServer(signedInServer())
  await openApp('/templates?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'tea row')
  await fill('Body', 'Our teas have arrived. Reply STOP to opt out.')
  await fill(/^Footer/, 'Chai & Co')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Carousel of cards' }))
  expect(screen.queryByLabelText(/^Footer/)).toBeNull()
  const second = within(screen.getByRole('group', { name: 'Card 2' }))
  expect(await second.findByText('Choose the picture of this card')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Quick reply on each card' }))
  expect(screen.getByRole('button', { name: 'Call phone on each card' })).toHaveProperty('disabled', true)
  for (const number of [1, 2]) {
    await fill(`Open website text of card ${number}`, 'Shop')
    await fill(`Web address of card ${number}`, `https://chai.example/${number}`)
    await fill(`Quick reply text of card ${number}`, `More of ${number}`)
  }
  await fill(/^Text of card 1/, 'For {{1}} today')
  expect(await screen.findByText('Either all cards have a text, or none has')).toBeTruthy()
  await fill(/^Text of card 2/, 'Second flush')
  await fill('Sample for {{1}}', '₹ 450')
  const cards = within(
    within(screen.getByRole('figure', { name: 'Preview of the message' })).getByRole('list', { name: 'Cards' }),
  )
  expect(cards.getByText('For ₹ 450 today')).toBeTruthy()
  expect(cards.getAllByRole('listitem', { name: /^Card / })).toHaveLength(2)
  // Parts that stood in its place before comes back, and the cards after it.
  await userEvent.click(screen.getByRole('checkbox', { name: 'Carousel of cards' }))
  expect(screen.getByLabelText(/^Footer/)).toHaveProperty('value', 'Chai & Co')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Carousel of cards' }))
  expect(screen.getByLabelText('Quick reply text of card 2')).toHaveProperty('value', 'More of 2')
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.count('POST /api/templates')).toBe(1))
  const call = server.calls.find(({ method, path }) => method === 'POST' && path === '/api/templates')
  const card = (number: number, body: string) => ({
    headerMedia: { kind: 'image' },
    body,
    buttons: [
      { kind: 'url', text: 'Shop', url: `https://chai.example/${number}` },
      { kind: 'quick_reply', text: `More of ${number}` },
    ],
  })
  const sent = JSON.parse(call?.body ?? '{}')
  expect(sent).toMatchObject({ cards: [card(1, 'For {{1}} today'), card(2, 'Second flush')], examples: { 1: '₹ 450' } })
  expect([sent.footer, sent.buttons]).toEqual(['', []])
})

test('a file goes to its card, though others are removed while it is uploaded', async () => {
  const [begun, uploaded] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  stubServer({
    ...signedInServer(),
    'POST /api/media': async () => {
      begun.resolve(undefined)
      await uploaded.promise
      return {
        status: 201,
        json: { id: 'file-3', kind: 'image', mimeType: 'image/png', sizeBytes: 3, name: 'tea.png' },
      }
    },
  })
  await openApp('/templates?new=1')
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Carousel of cards' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add card' }))
  const third = within(screen.getByRole('group', { name: 'Card 3' }))
  await fill('Open website text of card 3', 'Third')
  const file = new File(['PNG'], 'tea.png', { type: 'image/png' })
  await userEvent.upload(third.getByLabelText(/picture/i, { selector: 'input' }), file)
  await begun.promise
  await userEvent.click(screen.getByRole('button', { name: 'Quick reply on each card' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove card 1' }))
  uploaded.resolve(undefined)
  const second = within(screen.getByRole('group', { name: 'Card 2' }))
  await waitFor(() => expect(second.getByText(/tea\.png/)).toBeTruthy())
  expect(screen.getByLabelText('Open website text of card 2')).toHaveProperty('value', 'Third')
  expect(screen.getByLabelText('Quick reply text of card 1')).toBeTruthy()
  expect(within(screen.getByRole('group', { name: 'Card 1' })).queryByText(/tea\.png/)).toBeNull()
})

test('a product above the message brings its button, which goes with it', async () => {
  stubServer(signedInServer())
  await openApp('/templates?new=1')
  const kind = await screen.findByLabelText('Kind of header')
  await userEvent.click(kind)
  await userEvent.click(await screen.findByTitle('Product of your catalogue'))
  await fill('Product (content ID)', 'tea-7')
  const preview = within(screen.getByRole('figure', { name: 'Preview of the message' }))
  expect([preview.getByText('tea-7'), preview.getByText('View')]).toHaveLength(2)
  await userEvent.click(kind)
  await userEvent.click(await screen.findByTitle('Text, or none'))
  await waitFor(() => expect(preview.queryByText('View')).toBeNull())
})
