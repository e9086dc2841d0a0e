import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { signedInServer, stubServer } from '../../testing/stub-server.ts'

const picture = new File(['PNG'], 'tea.png', { type: 'image/png' })

const refusal = {
  status: 400,
  json: { code: 'validation_failed', message: 'This picture cannot be read.', requestId: 'r' },
}

/** Simulates a server on which each upload waits until it is let through, or refused. */
function slowServer() {
  const waiting: ((isRefused?: boolean) => void)[] = []
  const server = stubServer({
    ...signedInServer(),
    'POST /api/media': async () => {
      const place = waiting.length + 1
      const isRefused = await new Promise<boolean>((resolve) => waiting.push((refused = false) => resolve(refused)))
      if (isRefused) return refusal
      const file = { id: `file-${place}`, kind: 'image', mimeType: 'image/png', sizeBytes: 3, name: 'tea.png' }
      return { status: 201, json: file }
    },
  })
  return { server, uploads: waiting }
}
const sent = ({ calls }: ReturnType<typeof stubServer>, method: string, path: RegExp) =>
  calls.filter((call) => call.method === method && path.test(call.path)).map(({ body }) => JSON.parse(body ?? '{}'))

async function writeTemplate() {
  await openApp('/templates?new=1')
  await userEvent.type(await screen.findByLabelText('Name'), 'tea_picture')
  await userEvent.click(screen.getByLabelText('Body'))
  await userEvent.paste('Our teas have arrived. Reply STOP to opt out.')
  await userEvent.click(screen.getByLabelText('Kind of header'))
  await userEvent.click(await screen.findByTitle('Picture'))
  await userEvent.upload(screen.getByLabelText('Choose a picture', { selector: 'input' }), picture)
}

test('a template that is created while its file is uploaded waits for it, and is created once', async () => {
  const { server, uploads } = slowServer()
  await writeTemplate()
  await waitFor(() => expect(uploads).toHaveLength(1))
  const create = screen.getByRole('button', { name: /Create Template/ })
  await userEvent.click(create)
  expect(await screen.findByText('Waiting for the file: it is still being uploaded.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Name'), '{Enter}')
  await userEvent.type(screen.getByLabelText('Body'), ' Ask us.')
  expect(screen.queryByText(/needs a picture/)).toBeNull()
  expect(sent(server, 'POST', /^\/api\/templates$/)).toEqual([])
  uploads[0]?.()
  await waitFor(() => expect(sent(server, 'POST', /^\/api\/templates$/)).toHaveLength(1))
  expect(sent(server, 'POST', /^\/api\/templates$/)[0]).toMatchObject({
    body: 'Our teas have arrived. Reply STOP to opt out. Ask us.',
    headerMedia: { kind: 'image', file: { mediaId: 'file-1' } },
  })
})

test('where the upload fails, nothing is created, and both are said beside the file', async () => {
  const server = stubServer({
    ...signedInServer(),
    'POST /api/media': () => refusal,
  })
  await writeTemplate()
  await userEvent.click(screen.getByRole('button', { name: /Create Template/ }))
  expect(await screen.findByText(/This picture cannot be read/)).toBeTruthy()
  expect(sent(server, 'POST', /^\/api\/templates$/)).toEqual([])
})

test('a form that is left while it waits is not sent', async () => {
  const { server, uploads } = slowServer()
  await writeTemplate()
  await waitFor(() => expect(uploads).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: /Create Template/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await screen.findByRole('button', { name: 'Create Template' })
  uploads[0]?.()
  await screen.findAllByRole('heading', { level: 2 })
  expect(sent(server, 'POST', /^\/api\/templates$/)).toEqual([])
})

/** Chooses another file for a stored template that has one, and saves while it is uploaded. */
async function replaceFile({ server, uploads }: ReturnType<typeof slowServer>) {
  const known = [...server.workspace.templates.values()].find(({ status }) => status === 'approved')
  if (!known) throw new Error('The sample has no approved template.')
  const file = { mediaId: 'file-0', name: 'old.png', mimeType: 'image/png', sizeBytes: 3 }
  const headerMedia = { kind: 'image' as const, file }
  server.workspace.templates.set('tea', { ...known, id: 'tea', name: 'tea_of_the_day', headerMedia })
  await openApp('/templates')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for tea_of_the_day' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Set Picture/ }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.upload(dialog.getByLabelText('Choose a picture', { selector: 'input' }), picture)
  await waitFor(() => expect(uploads).toHaveLength(1))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByRole('button', { name: 'Waiting for the file' })).toHaveProperty('disabled', true)
  return dialog
}

test('another file of a stored template is saved once it is uploaded', async () => {
  const slow = slowServer()
  const { server, uploads } = slow
  const dialog = await replaceFile(slow)
  expect(dialog.queryByText(/needs a picture/)).toBeNull()
  uploads[0]?.()
  await waitFor(() => expect(sent(server, 'PATCH', /\/header$/)).toHaveLength(1))
  expect(sent(server, 'PATCH', /\/header$/)[0]).toMatchObject({
    headerMedia: { kind: 'image', file: { mediaId: 'file-1' } },
  })
})

test('where another file cannot be uploaded, the one before is not saved in its place', async () => {
  const slow = slowServer()
  const dialog = await replaceFile(slow)
  slow.uploads[0]?.(true)
  expect(await dialog.findByText(/This picture cannot be read/)).toBeTruthy()
  expect(await dialog.findByRole('button', { name: 'Save' })).toHaveProperty('disabled', false)
  expect(sent(slow.server, 'PATCH', /\/header$/)).toEqual([])
})
