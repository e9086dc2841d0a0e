import { photoMaxBytes } from '@parley/contracts/account/profile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { complete, newSignIn, ok, type ProfileUnderTest, startProfile } from './start-profile.ts'

let profile: ProfileUnderTest
beforeAll(async () => {
  profile = await startProfile()
})
afterAll(() => profile.stop())

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pngUrl = `data:image/png;base64,${png}`
const picture = 'https://photos.example/ann.png'

test('a new user is all six fields, empty, although the claims hold a name', async () => {
  const ann = await profile.signIn({ name: 'Ann Lee', picture, email: 'ann@example.com' })
  expect(await ann.get()).toEqual({
    id: ann.context.userId,
    email: 'ann@example.com',
    firstName: '',
    lastName: '',
    mobile: '',
    address: '',
    timezone: '',
    profileImageUrl: '',
    role: 'owner',
    workspaceId: ann.context.workspaceId,
    workspaceName: "Ann's workspace",
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    version: expect.any(Number),
  })
})

test('a profile is stored and answered whole, the number as E.164', async () => {
  const ann = await profile.signIn()
  const answer = ok(await ann.patch({ ...complete, firstName: '  Ann  ', profileImageUrl: pngUrl }))
  expect(answer).toMatchObject({ ...complete, firstName: 'Ann', mobile: '+919876543210', profileImageUrl: pngUrl })
  expect(await ann.get()).toEqual(answer)
})

test('an absent field keeps its value, an empty address or photo clears it', async () => {
  const ann = await profile.signIn()
  ok(await ann.patch({ ...complete, profileImageUrl: pngUrl }))
  expect(ok(await ann.patch({ lastName: 'Ray' }))).toMatchObject({
    ...complete,
    mobile: '+919876543210',
    lastName: 'Ray',
    profileImageUrl: pngUrl,
  })
  expect(ok(await ann.patch({ address: '', profileImageUrl: '' }))).toMatchObject({
    address: '',
    profileImageUrl: '',
    lastName: 'Ray',
  })
  expect(ok(await ann.patch({}))).toMatchObject({ lastName: 'Ray' })
})

test('a change that has seen the stored record is taken, a later one that has not is answered with what is stored', async () => {
  const ann = await profile.signIn()
  ok(await ann.patch(complete))
  const { version } = await ann.get()
  const first = ok(await ann.patch({ firstName: 'Anna', version }))
  expect(first).toMatchObject({ firstName: 'Anna', version: version + 1 })
  const second = await ann.patch({ firstName: 'Annie', version })
  expect([second.status, JSON.parse(second.text)]).toMatchObject([409, { code: 'stale_version', current: first }])
  expect(await ann.get()).toEqual(first)
  expect(ok(await ann.patch({ firstName: 'Annie', version: version + 1 }))).toMatchObject({ firstName: 'Annie' })
})

test('sync takes an empty body, brings the e-mail up to date and leaves typed names alone', async () => {
  const ann = await profile.signIn({ name: 'Ann Lee' })
  ok(await ann.patch(complete))
  const renamed = ann.withClaims({ email: 'new@example.com', name: 'Zoe Ray' })
  expect(await renamed.sync()).toMatchObject({ email: 'new@example.com', firstName: 'Ann', lastName: 'Lee' })
  expect(await renamed.get()).toMatchObject({ email: 'new@example.com' })
})

test('a sync that changes nothing writes nothing', async () => {
  const ann = await profile.signIn()
  const before = await ann.get()
  expect(await ann.sync()).toEqual(before)
})

test('claims of a late, older token do not replace newer ones', async () => {
  const ann = await profile.signIn({ claimsIat: 1000, email: 'first@example.com' })
  const later = ann.withClaims({ claimsIat: 3000, email: 'first@example.com' })
  await later.sync()
  const late = ann.withClaims({ claimsIat: 2000, email: 'late@example.com' })
  expect(await late.sync()).toMatchObject({ email: 'first@example.com' })
  const newest = ann.withClaims({ claimsIat: 4000, email: 'newest@example.com' })
  expect(await newest.sync()).toMatchObject({ email: 'newest@example.com' })
  expect(await late.sync()).toMatchObject({ email: 'newest@example.com' })
})

test('neither does a sign-in that was slower than a newer one', async () => {
  const signIn = newSignIn({ claimsIat: 2000, email: 'new@example.com' })
  const ann = await profile.signIn(signIn)
  await profile.openContext({ ...signIn, claimsIat: 1000, email: 'old@example.com' })
  expect(await ann.get()).toMatchObject({ email: 'new@example.com' })
})

test('sync notes the first verified password session', async () => {
  const ann = await profile.signIn({ emailVerified: false })
  await ann.withClaims({ emailVerified: true }).sync()
  const [stored] = await profile.database.connection
    .collection('users')
    .find({ email: (await ann.get()).email })
    .toArray()
  expect(stored?.['emailVerifiedAt']).toBeInstanceOf(Date)
})

test.each([
  ['first name', 'firstName', '', 'Enter your first name.'],
  ['blank first name', 'firstName', '   ', 'Enter your first name.'],
  ['long first name', 'firstName', 'x'.repeat(81), /80 characters/],
  ['first name that is no text', 'firstName', 7, 'firstName must be a string.'],
  ['last name', 'lastName', '', 'Enter your last name.'],
  ['null last name', 'lastName', null, 'lastName must be a string.'],
  ['long last name', 'lastName', 'x'.repeat(81), /80 characters/],
  ['mobile', 'mobile', '', 'Enter your mobile number.'],
  ['short mobile', 'mobile', '+91 123', /valid mobile number/],
  ['mobile without a country', 'mobile', '9876543210', /valid mobile number/],
  ['mobile that is no number', 'mobile', 'call me', /valid mobile number/],
  ['mobile with an extension', 'mobile', '+919876543210 ext. 5', /valid mobile number/],
  ['long mobile', 'mobile', `+91${'9'.repeat(40)}`, /too long/],
  ['long address', 'address', 'x'.repeat(501), /500 characters/],
  ['address that is a list', 'address', ['a'], 'address must be a string.'],
  ['time zone', 'timezone', '', /from the list/],
  ['unknown time zone', 'timezone', 'Mars/Olympus', /from the list/],
  ['time zone outside our list', 'timezone', 'Europe/Atlantis', /from the list/],
])('%s: refused, named, and nothing is stored', async (_name, field, value, message) => {
  const ann = await profile.signIn()
  ok(await ann.patch(complete))
  const before = await ann.get()
  const answer = await ann.patch({ ...complete, firstName: 'Changed', [field]: value })
  expect(answer.status).toBe(400)
  const body = JSON.parse(answer.text)
  expect(body).toMatchObject({ code: 'validation_failed', requestId: expect.any(String) })
  expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  expect(body.fields).toEqual({ [field]: body.message })
  expect(await ann.get()).toEqual(before)
})

test('every wrong field is named at once', async () => {
  const ann = await profile.signIn()
  const { text } = await ann.patch({ mobile: '+91 123', profileImageUrl: 'photo' })
  expect(Object.keys(JSON.parse(text).fields).sort()).toEqual(['mobile', 'profileImageUrl'])
})

const dataUrl = (type: string, bytes: Buffer | string) => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'

test.each([
  ['a text', 'photo', /PNG, JPEG or WebP/],
  ['a script', 'javascript:alert(1)', /PNG, JPEG or WebP/],
  ['an SVG', dataUrl('image/svg+xml', svg), /PNG, JPEG or WebP/],
  ['an SVG that says PNG', dataUrl('image/png', svg), /PNG, JPEG or WebP/],
  ['a page that says PNG', dataUrl('image/png', '<!doctype html><script>1</script>'), /PNG, JPEG or WebP/],
  ['a PNG that says JPEG', `data:image/jpeg;base64,${png}`, /PNG, JPEG or WebP/],
  ['a PNG of eight bytes', dataUrl('image/png', Buffer.from(png, 'base64').subarray(0, 8)), /PNG, JPEG or WebP/],
  ['base64 with a stray character', `data:image/png;base64,${png.slice(0, 40)}*${png.slice(41)}`, /PNG, JPEG or WebP/],
  ['base64 without its padding', pngUrl.replace(/=+$/, ''), /PNG, JPEG or WebP/],
  [
    'bytes above the limit',
    dataUrl('image/png', Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(photoMaxBytes)])),
    /256 KiB/,
  ],
  ['an address of the web', 'https://elsewhere.example/photo.png', /PNG, JPEG or WebP/],
  ["nearly the session's picture", `${picture}?x`, /PNG, JPEG or WebP/],
])('a photo that is %s is refused', async (_name, profileImageUrl, message) => {
  const ann = await profile.signIn({ picture })
  const answer = await ann.patch({ profileImageUrl })
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.text).fields.profileImageUrl).toMatch(message)
  expect((await ann.get()).profileImageUrl).toBe('')
})

test("the session's own picture is accepted, and stays so in a session without it", async () => {
  const ann = await profile.signIn({ picture })
  expect(ok(await ann.patch({ profileImageUrl: picture }))).toMatchObject({ profileImageUrl: picture })
  const later = ann.withClaims({ picture: undefined })
  expect(ok(await later.patch({ profileImageUrl: picture, address: 'new' }))).toMatchObject({
    profileImageUrl: picture,
  })
})

test("another session's picture is not", async () => {
  const bob = await profile.signIn({ picture: 'https://photos.example/bob.png' })
  expect((await bob.patch({ profileImageUrl: picture })).status).toBe(400)
})

test('a picture claim that is no web address is refused', async () => {
  const odd = await profile.signIn({ picture: 'javascript:alert(1)' })
  expect((await odd.patch({ profileImageUrl: 'javascript:alert(1)' })).status).toBe(400)
})

test('a photo of just the limit fits into the body', async () => {
  const ann = await profile.signIn()
  const bytes = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(photoMaxBytes)]).subarray(0, photoMaxBytes)
  const profileImageUrl = dataUrl('image/png', bytes)
  expect(ok(await ann.patch({ ...complete, profileImageUrl }))).toMatchObject({ profileImageUrl })
  expect((await ann.get()).profileImageUrl).toBe(profileImageUrl)
})

test('a body above its limit is 413', async () => {
  const ann = await profile.signIn()
  const answer = await ann.patch({ address: 'x'.repeat(600_000) })
  expect(answer.status).toBe(413)
  expect(JSON.parse(answer.text)).toMatchObject({ code: 'body_too_large', message: expect.stringContaining('KiB') })
})

test('a change that is repeated with its key is answered and not made again', async () => {
  const ann = await profile.signIn()
  const change = async (json: unknown, key: string) =>
    profile.call('PATCH', '/api/auth/profile', { token: await ann.token(), headers: { 'idempotency-key': key }, json })
  const first = await change({ ...complete, firstName: 'Ann' }, 'one-intent')
  expect(first.status).toBe(200)
  ok(await ann.patch({ firstName: 'Zoe' }))
  const again = await change({ ...complete, firstName: 'Ann' }, 'one-intent')
  expect([again.status, JSON.parse(again.text)]).toEqual([200, JSON.parse(first.text)])
  expect((await ann.get()).firstName).toBe('Zoe')
  expect((await change({ firstName: 'Eve' }, 'one-intent')).status).toBe(422)
})
