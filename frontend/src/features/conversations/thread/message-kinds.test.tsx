import { createSampleDataset } from '@parley/sample/sample-dataset'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openApp } from '../../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../../testing/stub-server.ts'
import { withWindowSize } from '../../../testing/window-size.ts'

withWindowSize(2000)

const conversationId = 'conversation-1'

/** The thread with these messages of the customer. */
async function openThread(...parts: ({ content: object } & Record<string, unknown>)[]) {
  const server = stubServer(signedInServer())
  const items = parts.map((part, index) => ({
    id: `message-${index}`,
    conversationId,
    version: 1,
    direction: 'inbound',
    cause: { kind: 'customer', id: 'contact-1' },
    sentAt: `2026-03-09T10:00:0${index}.000Z`,
    ...part,
  }))
  server.answer(`GET /api/conversations/${conversationId}/messages`, () => ({
    json: { items, nextCursor: null, previousCursor: null, total: items.length },
  }))
  await openApp(`/conversations?id=${conversationId}`)
  return within(await screen.findByRole('log', { name: 'Messages' }))
}
const linesOf = (list: HTMLElement) => [...list.querySelectorAll('li')].map(({ textContent }) => textContent)

test('a copied message has all of its lines', async () => {
  const text = 'Line one\n\n*Line* two'
  const writeText = vi.fn(async (_text: string) => undefined)
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  const thread = await openThread({ content: { type: 'text', text } })
  fireEvent.click(await thread.findByRole('button', { name: 'Message actions' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Copy text' }))
  await vi.waitFor(() => expect(writeText.mock.calls).toEqual([[text]]))
})

test('an order lists its items with prices, and the total', async () => {
  const items = [
    { id: 'tea-1', quantity: 2, price: 30, currency: 'USD' },
    { id: 'tea-2', quantity: 1, price: 25, currency: 'USD' },
  ]
  const order = { type: 'order', text: 'Soon, please', items, total: { amount: 85, currency: 'USD' } }
  const thread = await openThread({ content: order })
  expect(await thread.findByText('Order of 3 items')).toBeTruthy()
  expect(thread.getByText('Total $85.00')).toBeTruthy()
  expect(thread.getByText('Soon, please')).toBeTruthy()
  const list = thread.getByRole('list', { name: 'Items of the order' })
  expect(linesOf(list)).toEqual(['tea-12 × $30.00', 'tea-21 × $25.00'])
})

test('a filled-in form, a choice of a list and a question that WhatsApp keeps are told in words', async () => {
  const asked = { type: 'interactive', text: 'Sent', options: [] }
  const thread = await openThread(
    { content: { ...asked, answers: [{ question: 'Wanted day', answer: 'Monday' }] } },
    { content: { ...asked, answers: [{ question: 'City', answer: 'Pune' }], form: 'address_message' } },
    { content: { ...asked, text: 'Priority Mail', chosen: 'express', description: 'Next day' } },
    { content: { ...asked, text: 'More of this', chosen: 'More of this', card: 2 } },
    { content: { type: 'unsupported', named: 'poll' } },
    { content: { type: 'unsupported', named: 'something_new' } },
    { content: { type: 'unsupported', named: 'unsupported', reason: 'too_large' } },
    { content: { type: 'system', text: 'User A changed from 1 to 2', phone: '+12195555358' } },
  )
  expect((await thread.findByText('Wanted day')).closest('div')?.textContent).toBe('Wanted dayMonday')
  expect(thread.getByText('Answered a form')).toBeTruthy()
  expect(thread.getByText('Sent an address')).toBeTruthy()
  expect(thread.getByText('Next day')).toBeTruthy()
  expect(thread.getByText('Chose an option on card 2')).toBeTruthy()
  expect(thread.getByText(/^A poll\. WhatsApp does not pass it on/)).toBeTruthy()
  expect(thread.getByText(/cannot be shown here/)).toBeTruthy()
  expect(
    thread.getByText(/too large for WhatsApp to pass on\. Ask the customer for one of less than 100 MB/),
  ).toBeTruthy()
  expect(thread.getByText('The customer’s phone number is now +1 219 555 5358')).toBeTruthy()
})

test('an order says what is not known of an item, and a message what has become of its payment', async () => {
  const items = [
    { id: 'tea-1', quantity: 2 },
    { id: '', price: 25, currency: 'USD' },
  ]
  const sent = { direction: 'outbound', cause: { kind: 'member', id: 'member-1' }, status: 'delivered' }
  const content = { type: 'text', text: 'Your bill' }
  const thread = await openThread(
    { content: { type: 'order', text: '', items } },
    { ...sent, content, payment: 'failed' },
    { ...sent, content, payment: 'paid' },
  )
  expect(linesOf(await thread.findByRole('list', { name: 'Items of the order' }))).toEqual([
    'tea-12 × price unknown',
    'Unnamed product$25.00',
  ])
  expect(thread.getByText('Payment failed')).toBeTruthy()
  expect(thread.getByText('Paid')).toBeTruthy()
  expect(thread.queryByText(/Not delivered|only accepts templates/)).toBeNull()
})

test('a contact card and a place have links that do what they say', async () => {
  const card = {
    name: 'Lucía Gómez',
    company: 'Acme',
    phones: ['+1 (219) 555-5358', 'ext. 12'],
    emails: ['lucia@acme.example'],
  }
  const location = { type: 'location', latitude: 37.44, longitude: -122.16, name: 'Philz', address: '101 Forest Ave' }
  const thread = await openThread(
    { content: { type: 'contacts', contacts: [card] } },
    { content: { ...location, url: 'https://philzcoffee.com/' } },
  )
  const hrefOf = (name: string | RegExp) => thread.getByRole('link', { name }).getAttribute('href')
  expect(await thread.findByText('Acme')).toBeTruthy()
  expect(hrefOf('+1 219 555 5358')).toBe('tel:+12195555358')
  expect(hrefOf('lucia@acme.example')).toBe('mailto:lucia@acme.example')
  expect(thread.getByText('ext. 12').closest('a')).toBeNull()
  expect(hrefOf(/^Philz/)).toContain('mlat=37.44&mlon=-122.16')
  expect(hrefOf('https://philzcoffee.com/')).toBe('https://philzcoffee.com/')
})

test('what was forwarded says so, and what came through an ad or is about a product names it', async () => {
  const content = { type: 'text', text: 'Is it in stock?' }
  const referral = { kind: 'ad', headline: 'Chat with us', body: 'Spring tea is here', url: 'https://fb.me/3cr4' }
  const thread = await openThread(
    { content, forwarded: 'yes' },
    { content, forwarded: 'many_times' },
    { content, referral },
    { content, productId: 'tea-1' },
    {
      content: { type: 'unsupported' },
      referral: { ...referral, kind: 'post' },
      deletedAt: '2026-03-09T11:00:00.000Z',
    },
  )
  expect(await thread.findByText('Forwarded')).toBeTruthy()
  expect(thread.getByText('Forwarded many times')).toBeTruthy()
  expect(thread.getByText('From your ad')).toBeTruthy()
  expect(thread.getByText('Spring tea is here').closest('a')?.getAttribute('href')).toBe('https://fb.me/3cr4')
  expect(thread.getByText(/^About the product/).textContent).toBe('About the product tea-1')
  expect(thread.queryByText('From your post')).toBeNull()
})

test('a film has its first picture and its length, a voice message a player of its own', async () => {
  const media = { url: '/api/media/file-1', mediaId: 'file-1', sizeBytes: 1000 }
  const thread = await openThread(
    { content: { type: 'video', mimeType: 'video/mp4', ...media } },
    { content: { type: 'audio', mimeType: 'audio/ogg', voice: true, ...media } },
  )
  const film = await thread.findByLabelText('Video')
  expect([film.getAttribute('src'), film.getAttribute('preload')]).toEqual(['/api/media/file-1#t=0.1', 'metadata'])
  Object.defineProperty(film, 'duration', { value: 34.2 })
  fireEvent.loadedMetadata(film)
  expect(await thread.findByText('0:34')).toBeTruthy()

  const player = within(thread.getByRole('group', { name: 'Voice message' }))
  const sound = thread.getByRole('group', { name: 'Voice message' }).querySelector('audio')
  if (!sound) throw new Error('there is no sound')
  Object.defineProperty(sound, 'duration', { value: 75 })
  fireEvent.loadedMetadata(sound)
  expect(await player.findByText('1:15')).toBeTruthy()
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  fireEvent.click(player.getByRole('button', { name: 'Play voice message' }))
  expect(play).toHaveBeenCalledOnce()
  fireEvent.play(sound)
  expect(player.getByRole('button', { name: 'Pause voice message' })).toBeTruthy()
  fireEvent.error(sound)
  expect(thread.getByText('Could not be played here')).toBeTruthy()
})

test('a template has its header, formatting, footer and buttons; a quote is formatted too', async () => {
  const text = 'Your parcel\n\nIt is *ready*.\n\nChai & Co'
  const parts = { headerText: 'Your parcel', footer: 'Chai & Co', buttons: [{ kind: 'url', text: 'Track it' }] }
  const thread = await openThread(
    {
      direction: 'outbound',
      status: 'read',
      cause: { kind: 'campaign', id: 'campaign-1' },
      content: { type: 'template', templateId: 'template-1', name: 'ready', text, ...parts },
    },
    { content: { type: 'text', text: 'Thanks' }, replyTo: 'message-0' },
  )
  const buttons = within(await thread.findByRole('list', { name: 'Buttons' }))
  expect(buttons.getByText('Track it')).toBeTruthy()
  const [body, quoted] = thread.getAllByText('ready')
  expect([body?.tagName, quoted?.tagName]).toEqual(['STRONG', 'STRONG'])
  expect(body?.closest('p')?.textContent).toBe('It is ready.')
  expect(thread.getByText('Your parcel')).toBeTruthy()
  expect(thread.getByText('Chai & Co')).toBeTruthy()
})

test('a note’s mention stands out in the words under its file, as in a text', async () => {
  const [colleague] = [...createSampleDataset({ now: new Date() }).members.values()]
  if (!colleague) throw new Error('The sample has no members.')
  const { userId, name } = colleague
  const note = { direction: 'note', cause: { kind: 'member', id: userId }, mentions: [userId] }
  const file = { type: 'document', url: '/api/media/1', mimeType: 'application/pdf', sizeBytes: 9, fileName: 'a.pdf' }
  const thread = await openThread(
    { ...note, content: { ...file, caption: `@${name} please sign` } },
    { ...note, content: { type: 'text', text: `Thanks, @${name}` } },
  )
  expect((await thread.findAllByText(`@${name}`)).map(({ tagName }) => tagName)).toEqual(['B', 'B'])
})
