import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { draftId, draftServer, finishedFields } from '../../../testing/draft-server.ts'
import { openApp } from '../../../testing/open-app.tsx'
import { eventOf, signedInServer, stubEvents, stubServer } from '../../../testing/stub-server.ts'

const nameField = () => screen.findByLabelText('Campaign name', { selector: 'input[type=text]' })
const nameIs = (value: string) => waitFor(async () => expect(await nameField()).toHaveProperty('value', value))
/** Pastes the text at once: typed key by key it would be saved in parts on a slow machine. */
async function addToName(text: string): Promise<void> {
  await userEvent.click(await nameField())
  await userEvent.paste(text)
}
const opened = `/broadcasts?draft=${draftId}&step=audience`

test('two people in one draft: what the other has changed is taken in and said, one’s own stays', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, finishedFields)
  await openApp(opened)
  await nameIs('Spring tea')
  draft.beforeNextSave(() => draft.change({ audience: { kind: 'tags', tags: ['vip', 'repeat'] } }))
  await addToName(' for you')
  const notice = within(await screen.findByRole('alert'))
  expect(notice.getByText('Their changes are in the form now, and yours are kept.')).toBeTruthy()
  expect(notice.getByText('Tagged vip, repeat')).toBeTruthy()
  expect(screen.getByRole('radio', { name: 'Tags' })).toHaveProperty('checked', true)
  await waitFor(() =>
    expect(draft.stored()).toMatchObject({
      name: 'Spring tea for you',
      audience: { kind: 'tags', tags: ['vip', 'repeat'] },
      version: 3,
    }),
  )
  await userEvent.click(notice.getByRole('button', { name: 'Got it' }))
  expect(screen.queryByText(/^Their changes are in the form/)).toBeNull()
})

test('where both have changed the same, nothing is saved until somebody has chosen', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, finishedFields)
  await openApp(opened)
  await nameIs('Spring tea')
  draft.beforeNextSave(() => draft.change({ name: 'Summer tea' }))
  await addToName(' for you')
  const notice = within(await screen.findByRole('alert'))
  expect(notice.getByText(/^Nothing is saved yet/)).toBeTruthy()
  expect(await screen.findByText('Not saved yet')).toBeTruthy()
  const saves = draft.saved().length
  await userEvent.click(notice.getByRole('radio', { name: /Theirs: Summer tea/ }))
  await nameIs('Summer tea')
  await userEvent.click(notice.getByRole('radio', { name: /Yours: Spring tea for you/ }))
  await nameIs('Spring tea for you')
  expect(draft.saved()).toHaveLength(saves)
  await userEvent.click(notice.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(draft.stored()).toMatchObject({ name: 'Spring tea for you', version: 3 }))
  expect(await screen.findByText('Saved')).toBeTruthy()
})

test('a colleague’s change arrives by itself while nobody types here', async () => {
  const server = stubServer(signedInServer())
  const events = stubEvents()
  server.answer('GET /api/events', events.response)
  const draft = draftServer(server, finishedFields)
  await openApp(opened)
  await nameIs('Spring tea')
  await waitFor(() => expect(events.readers()).toBe(1))
  draft.change({ name: 'Summer tea' })
  events.send('campaign.changed', eventOf('campaign.changed', { campaignId: draftId }))
  await nameIs('Summer tea')
  expect(await screen.findByText(/^Their changes are in the form/)).toBeTruthy()
  expect(draft.saved()).toEqual([])
})

test('a save whose answer was lost is nobody else’s change', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const server = stubServer(signedInServer())
  const draft = draftServer(server, finishedFields)
  await openApp(opened)
  await nameIs('Spring tea')
  server.answer(`PATCH ${draft.path}`, ({ body }, nth) => {
    const { version, ...fields } = JSON.parse(body ?? '')
    const isStale = version !== draft.stored()?.version
    if (!isStale) draft.change(fields)
    if (nth === 1) throw new Error('the answer is lost')
    const current = draft.stored()
    return isStale
      ? { status: 409, json: { code: 'stale_version', message: 'Changed.', requestId: 'r', current } }
      : { json: current }
  })
  await userEvent.type(await nameField(), '!')
  expect(await screen.findByText('Not saved')).toBeTruthy()
  await userEvent.type(await nameField(), '?')
  expect(await screen.findByText('Saved')).toBeTruthy()
  await waitFor(() => expect(draft.stored()).toMatchObject({ name: 'Spring tea!?' }))
  expect(screen.queryByText(/was changed elsewhere/)).toBeNull()
})

test('a draft that was launched meanwhile says so and leads to the campaign; what is written here can be kept', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, finishedFields)
  await openApp(opened)
  await nameIs('Spring tea')
  draft.beforeNextSave(() => draft.launch())
  await userEvent.type(await nameField(), '!')
  expect(await screen.findByText('Spring tea is no longer a draft')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Keep what I have as a new draft' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show the campaign' }))
  await waitFor(() => expect(window.location.search).toBe(`?id=${draftId}`))
})

test('a draft that was deleted meanwhile can be kept as another one', async () => {
  const server = stubServer(signedInServer())
  const draft = draftServer(server, finishedFields)
  await openApp(opened)
  await nameIs('Spring tea')
  draft.beforeNextSave(draft.remove)
  await userEvent.type(await nameField(), '!')
  expect(await screen.findByText('Spring tea! was deleted')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Keep what I have as a new draft' }))
  await nameIs('Spring tea!')
  expect(draft.saved('POST')).toEqual([{ ...finishedFields, name: 'Spring tea!' }])
})

test('a link to a draft that is gone says so', async () => {
  draftServer(stubServer(signedInServer()))
  await openApp(opened)
  expect(await screen.findByText('This draft was deleted')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Show all campaigns' }))
  await screen.findByRole('button', { name: 'New Broadcast' })
})
