import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openApp } from '../../testing/open-app.tsx'
import { claimsOf, errorOf, sessionOf, signedInServer, stubServer, userOf } from '../../testing/stub-server.ts'
import { photoMessages } from './photo.ts'

const newcomer = userOf({ firstName: '', lastName: '', mobile: '', timezone: '' })
const shown = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value
const button = (name: string) => screen.findByRole('button', { name })
const at = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path))

async function openProfile(user = userOf()) {
  const server = stubServer(signedInServer(claimsOf(), user))
  await openApp('/profile')
  await button('Save Changes')
  return server
}

async function openSetup(claims = claimsOf()) {
  const server = stubServer(signedInServer(claims, newcomer))
  await openApp('/profile-setup')
  await button('Complete Setup')
  return server
}

const retype = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
async function rename(firstName: string) {
  retype('First Name', firstName)
  fireEvent.click(await button('Save Changes'))
}

test('setup starts with the names and the photo of the sign-in, +91 and Asia/Kolkata', async () => {
  await openSetup(claimsOf({ name: 'Asha Devi Rao', picture: 'https://photos.example/asha.png' }))
  expect(screen.getByRole('heading', { level: 1, name: 'Complete Your Profile' })).toBeTruthy()
  expect(shown('First Name')).toBe('Asha')
  expect(shown('Last Name')).toBe('Devi Rao')
  expect(document.querySelector('img')?.src).toBe('https://photos.example/asha.png')
  expect(screen.getByText('+91')).toBeTruthy()
  expect(screen.getByText('India (Kolkata) (UTC+05:30)')).toBeTruthy()
  expect(screen.getByLabelText(/Address/).getAttribute('rows')).toBe('3')
})

test('setup saves all six fields with the ID token, says so and goes to the dashboard', async () => {
  const claims = claimsOf({ picture: 'https://photos.example/asha.png' })
  const server = await openSetup(claims)
  const saved = userOf({ mobile: '+919876543210' })
  let answer = (_: { json: unknown }) => {}
  server.answer('PATCH /api/auth/profile', () => new Promise((resolve) => (answer = resolve)))
  retype('Mobile Number', '098765 43210')
  fireEvent.click(await button('Complete Setup'))
  expect(await button('Saving...')).toBeTruthy()
  await waitFor(() => expect(server.count('PATCH /api/auth/profile')).toBe(1))
  const patch = server.calls.find(({ method }) => method === 'PATCH')
  expect(patch?.headers.get('authorization')).toBe(`Bearer ${sessionOf(claims).id_token}`)
  expect(JSON.parse(patch?.body ?? '')).toEqual({
    firstName: 'Asha',
    lastName: 'Rao',
    mobile: '+919876543210',
    address: '',
    timezone: 'Asia/Kolkata',
    profileImageUrl: 'https://photos.example/asha.png',
  })
  server.answer('GET /api/auth/user', () => ({ json: saved }))
  answer({ json: saved })
  await at('/dashboard')
  expect(await screen.findByText('Your profile has been set up successfully!')).toBeTruthy()
})

test('an empty form names every missing field, sends nothing and puts the focus on the first', async () => {
  const server = await openSetup(claimsOf({ name: '' }))
  fireEvent.click(await button('Complete Setup'))
  expect(await screen.findByText('Enter your first name.')).toBeTruthy()
  expect(screen.getByText('Enter your last name.')).toBeTruthy()
  expect(screen.getByText('Enter your mobile number.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('First Name'))
  expect(server.count('PATCH /api/auth/profile')).toBe(0)
})

test('a number that cannot exist is named with its country', async () => {
  const server = await openProfile()
  retype('Mobile Number', '12')
  fireEvent.click(await button('Save Changes'))
  expect(await screen.findByText(/not a valid mobile number for India \(\+91\)/)).toBeTruthy()
  expect(server.count('PATCH /api/auth/profile')).toBe(0)
})

test('the profile shows what is stored, the mobile number split into code and remainder', async () => {
  await openProfile(userOf({ mobile: '+16135550123', address: '24 Sussex Drive', timezone: 'America/Toronto' }))
  expect(shown('First Name')).toBe('Asha')
  expect(screen.getByText('+1')).toBeTruthy()
  expect(shown('Mobile Number')).toBe('6135550123')
  expect((screen.getByLabelText(/Address/) as HTMLTextAreaElement).value).toBe('24 Sussex Drive')
  expect(screen.getByText('Toronto (UTC−05:00)')).toBeTruthy()
})

test('an international number moves its code into the select', async () => {
  await openProfile()
  retype('Mobile Number', '+44 20 7946 0958')
  fireEvent.blur(screen.getByLabelText('Mobile Number'))
  expect(await screen.findByText('+44')).toBeTruthy()
  expect(shown('Mobile Number')).toBe('2079460958')
})

test('a saved profile is shown everywhere at once and read again', async () => {
  const server = await openProfile()
  const saved = userOf({ firstName: 'Meera' })
  server.answer('PATCH /api/auth/profile', () => ({ json: saved }))
  server.answer('GET /api/auth/user', () => ({ json: saved }))
  await rename('Meera')
  expect(await screen.findByText('Your profile has been updated successfully!')).toBeTruthy()
  expect(screen.getByText('Meera')).toBeTruthy()
  await waitFor(() => expect(server.count('GET /api/auth/user')).toBe(2))
  expect(screen.queryByText('You have unsaved changes.')).toBeNull()
})

test('what is typed while a save is on its way stays, as an unsaved change', async () => {
  const server = await openProfile()
  const saved = userOf({ firstName: 'Meera', lastName: 'RAO' })
  let answer = (_: { json: unknown }) => {}
  server.answer('PATCH /api/auth/profile', () => new Promise((resolve) => (answer = resolve)))
  server.answer('GET /api/auth/user', () => ({ json: saved }))
  await rename('Meera')
  await button('Saving...')
  await waitFor(() => expect(server.count('PATCH /api/auth/profile')).toBe(1))
  retype('First Name', 'Meera Devi')
  answer({ json: saved })
  expect(await screen.findByText('Your profile has been updated successfully!')).toBeTruthy()
  expect(shown('First Name')).toBe('Meera Devi')
  expect(shown('Last Name')).toBe('RAO')
  expect(screen.getByText('You have unsaved changes.')).toBeTruthy()
})

test("a refused save shows the server's message, its field, and keeps what was typed", async () => {
  const server = await openProfile()
  server.answer('PATCH /api/auth/profile', () => ({
    status: 400,
    json: { ...errorOf('validation_failed', 'Check the marked fields.'), fields: { mobile: 'That number is taken.' } },
  }))
  await rename('Meera')
  expect(await screen.findByText('Check the marked fields.')).toBeTruthy()
  expect(screen.getByText('Error')).toBeTruthy()
  expect(screen.getByText('That number is taken.')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Mobile Number'))
  expect(shown('First Name')).toBe('Meera')
})

test.each([
  ['an answer without a message', () => ({ status: 502, text: '<html>' }), 'Failed to update profile (502)'],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'Failed to update profile'],
])('%s has its own text', async (_, answer, text) => {
  const server = await openProfile()
  server.answer('PATCH /api/auth/profile', answer)
  fireEvent.click(await button('Save Changes'))
  expect(await screen.findByText(text)).toBeTruthy()
})

test('offline a save fails at once instead of waiting in silence', async () => {
  await openProfile()
  window.dispatchEvent(new Event('offline'))
  await rename('Meera')
  expect(await screen.findByText('Failed to update profile')).toBeTruthy()
  expect(shown('First Name')).toBe('Meera')
  window.dispatchEvent(new Event('online'))
})

/** The profile page over a profile that other tabs may change; it takes a change as the service does. */
async function openShared() {
  let stored = userOf()
  const change = (fields: object) => (stored = { ...stored, ...fields, version: stored.version + 1 })
  const server = stubServer({
    ...signedInServer(),
    'PATCH /api/auth/profile': ({ body }) => {
      const { version, ...fields } = JSON.parse(body ?? '{}')
      if (version === stored.version) return { json: change(fields) }
      return { status: 409, json: { code: 'stale_version', message: 'Changed.', requestId: 'r', current: stored } }
    },
    'GET /api/auth/user': () => ({ json: stored }),
  })
  await openApp('/profile')
  await button('Save Changes')
  return { server, change, stored: () => stored }
}

test('two tabs that change different fields keep both changes', async () => {
  const { stored, change } = await openShared()
  change({ address: 'Saved in the other tab' })
  await rename('Aisha')
  await waitFor(() => expect(screen.getByLabelText(/^Address/)).toHaveProperty('value', 'Saved in the other tab'))
  expect(stored()).toMatchObject({ firstName: 'Aisha', address: 'Saved in the other tab' })
  expect(screen.queryByText(/was changed elsewhere/)).toBeNull()
})

test.each([
  ['Theirs', 'Meera'],
  ['Yours', 'Aisha'],
])('two tabs that change the same field: the later save is asked about (%s)', async (whose, stays) => {
  const { server, stored, change } = await openShared()
  change({ firstName: 'Meera', address: 'Saved in the other tab' })
  await rename('Aisha')
  expect(await screen.findByText('This profile was changed elsewhere while you were editing')).toBeTruthy()
  expect(stored()).toMatchObject({ firstName: 'Meera' })
  expect(await screen.findByRole('textbox', { name: 'First Name' })).toHaveProperty('value', 'Aisha')
  expect(screen.getByLabelText(/^Address/)).toHaveProperty('value', 'Saved in the other tab')
  fireEvent.click(screen.getByRole('radio', { name: new RegExp(`^${whose}`) }))
  fireEvent.click(await button('Save Changes'))
  expect(await screen.findByText('Your profile has been updated successfully!')).toBeTruthy()
  expect(stored()).toMatchObject({ firstName: stays, address: 'Saved in the other tab' })
  expect(screen.queryByText(/was changed elsewhere/)).toBeNull()
  expect(server.count('PATCH /api/auth/profile')).toBe(2)
})

test('unsaved changes ask before they are left behind', async () => {
  await openProfile()
  retype('First Name', 'Meera')
  const leave = () => fireEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
  leave()
  fireEvent.click(await button('Stay'))
  expect(window.location.pathname).toBe('/profile')
  expect(shown('First Name')).toBe('Meera')
  const closing = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(closing)
  expect(closing.defaultPrevented).toBe(true)
  leave()
  fireEvent.click(await button('Leave'))
  await at('/dashboard')
})

test('an untouched profile is left without a question', async () => {
  await openProfile()
  fireEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
  await at('/dashboard')
})

test('the photo can be removed, and a file that is not an image is refused in words', async () => {
  const server = await openProfile(userOf({ profileImageUrl: 'data:image/png;base64,aGk=' }))
  const file = new File(['%PDF'], 'cv.pdf', { type: 'application/pdf' })
  await act(async () => {
    fireEvent.change(screen.getByLabelText('Photo'), { target: { files: [file] } })
  })
  expect(await screen.findByText(photoMessages.notImage)).toBeTruthy()

  fireEvent.click(await button('Remove photo'))
  expect(screen.queryByText(photoMessages.notImage)).toBeNull()
  server.answer('PATCH /api/auth/profile', () => ({ json: userOf() }))
  fireEvent.click(await button('Save Changes'))
  await waitFor(() => expect(server.count('PATCH /api/auth/profile')).toBe(1))
  expect(JSON.parse(server.calls.find(({ method }) => method === 'PATCH')?.body ?? '')).toMatchObject({
    profileImageUrl: '',
  })
})
