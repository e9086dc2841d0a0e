import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

/** Of an upload that never ends. */
vi.mock('../../lib/upload.ts', () => ({ uploadMedia: () => new Promise(() => {}) }))

// Without a layout nothing is in view, so every list would be empty: what scrolls gets the size of a window.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(40)
  return () => vi.restoreAllMocks()
})

const conversation = '/conversations?id=conversation-1'
const field = () => screen.findByRole('textbox', { name: 'Message' })

/** Another tab of the same person. */
function otherTab() {
  const channel = new BroadcastChannel('parley-drafts')
  const heard: { type: string; uid: string; conversationId: string; text?: string }[] = []
  channel.onmessage = ({ data }) => void heard.push(data)
  return { channel, heard }
}

test('two tabs of a person show the same draft; a note stays in its own', async () => {
  stubServer(signedInServer())
  const { channel, heard } = otherTab()
  try {
    await openApp(conversation)
    const text = await field()
    await waitFor(() => expect(heard).toMatchObject([{ type: 'asked', conversationId: 'conversation-1' }]))
    const uid = heard[0]?.uid ?? ''
    channel.postMessage({ type: 'draft', uid: 'somebody else', conversationId: 'conversation-1', text: 'not mine' })
    channel.postMessage({ type: 'draft', uid, conversationId: 'conversation-2', text: 'not here' })
    channel.postMessage({ type: 'draft', uid, conversationId: 'conversation-1', text: 'from the other tab' })
    await waitFor(() => expect(text).toHaveProperty('value', 'from the other tab'))
    fireEvent.change(text, { target: { value: 'from this tab' } })
    await waitFor(() => expect(heard.at(-1)).toMatchObject({ type: 'draft', uid, text: 'from this tab' }))
    await userEvent.click(screen.getByRole('switch', { name: 'Note for the team' }))
    fireEvent.change(screen.getByRole('textbox', { name: 'Note for the team' }), { target: { value: 'only for us' } })
    channel.postMessage({ type: 'asked', uid, conversationId: 'conversation-1' })
    await userEvent.click(screen.getByRole('switch', { name: 'Note for the team' }))
    fireEvent.change(await field(), { target: { value: 'for the customer' } })
    await waitFor(() => expect(heard.at(-1)).toMatchObject({ text: 'for the customer' }))
    expect(heard.map((message) => message.text)).not.toContain('only for us')
  } finally {
    channel.close()
  }
})

test('an upload that a reload has cut off is told, and does not go along', async () => {
  stubServer(signedInServer())
  await openApp(conversation)
  await field()
  await userEvent.upload(
    screen.getByLabelText('Files to send'),
    new File(['a plan'], 'plan.pdf', { type: 'application/pdf' }),
  )
  expect(await screen.findByText('plan.pdf')).toBeTruthy()
  await openApp(conversation, { keepStorage: true })
  expect(await screen.findByText('The upload was cut off. Remove it and choose the file again.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send message' })).toHaveProperty('disabled', true)
  await userEvent.click(screen.getByRole('button', { name: /Remove plan.pdf/ }))
  await waitFor(() => expect(screen.queryByText('plan.pdf')).toBeNull())
  await openApp(conversation, { keepStorage: true })
  await field()
  expect(screen.queryByText('plan.pdf')).toBeNull()
})
