import { expect, test } from 'vitest'
import { fieldsOfValues, formFieldOf, profileFormSchema, valuesForSetup, valuesOfUser } from './form-values.ts'

const stored = {
  firstName: 'Asha',
  lastName: 'Rao',
  mobile: '+16135550123',
  address: '',
  timezone: 'Europe/Berlin',
  profileImageUrl: '',
}
const problems = (values: unknown) =>
  profileFormSchema.safeParse(values).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('a stored profile goes through the form unchanged', () => {
  expect(valuesOfUser(stored)).toMatchObject({ country: 'CA', number: '6135550123' })
  expect(fieldsOfValues(profileFormSchema.parse(valuesOfUser(stored)))).toEqual(stored)
})

test('an empty form starts at +91 and Asia/Kolkata and names every missing field at once', () => {
  const empty = valuesForSetup(undefined, { displayName: '', photoURL: '' })
  expect(empty).toMatchObject({ country: 'IN', number: '', timezone: 'Asia/Kolkata' })
  expect(problems(empty)).toEqual([
    ['firstName', 'Enter your first name.'],
    ['lastName', 'Enter your last name.'],
    ['number', 'Enter your mobile number.'],
  ])
})

test('a wrong number is named beside the other problems, with its country', () => {
  expect(problems({ ...valuesOfUser(stored), firstName: ' ', country: 'IN', number: '12' })).toEqual([
    ['firstName', 'Enter your first name.'],
    ['number', expect.stringContaining('India (+91)')],
  ])
})

test('setup takes names and photo from the sign-in, unless something is stored already', () => {
  const signIn = { displayName: 'Asha Devi Rao', photoURL: 'https://photos.example/a.png' }
  expect(valuesForSetup(undefined, signIn)).toMatchObject({
    firstName: 'Asha',
    lastName: 'Devi Rao',
    profileImageUrl: signIn.photoURL,
  })
  const nothing = {
    email: '',
    workspaceId: 'w1',
    role: 'owner' as const,
    workspaceName: '',
    createdAt: '',
    updatedAt: '',
  }
  const user = { ...stored, ...nothing, lastName: '', id: '1', version: 1 }
  expect(valuesForSetup(user, signIn)).toMatchObject({ firstName: 'Asha', lastName: 'Devi Rao', country: 'CA' })
})

test('a time zone that is no longer on offer falls back to the default', () => {
  expect(valuesOfUser({ ...stored, timezone: 'Asia/Calcutta' }).timezone).toBe('Asia/Kolkata')
})

test("the server's field names find their control", () => {
  expect(formFieldOf('mobile')).toBe('number')
  expect(formFieldOf('lastName')).toBe('lastName')
  expect(formFieldOf('role')).toBeUndefined()
})
