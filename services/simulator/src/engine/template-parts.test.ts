import { describe, expect, test } from 'vitest'
import { GraphError } from '../graph/graph-error.ts'
import type { SentTemplate } from '../graph/send-schema.ts'
import type { Template } from '../records.ts'
import { fillTemplate } from './fill-template.ts'
import { checkParts, writtenOut } from './template-parts.ts'

const codeOf = (run: () => unknown): number | undefined => {
  try {
    run()
    return undefined
  } catch (error) {
    return error instanceof GraphError ? Number(error.error['code']) : -1
  }
}
const image = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } })
const typeOf = (handle: string) => ({ '4::png': 'image/png', '4::pdf': 'application/pdf' })[handle]
const copy = (example: unknown) => ({ type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example }] })

test.each([
  ['a picture that was uploaded', image('4::png'), undefined],
  ['a place', { type: 'HEADER', format: 'LOCATION' }, undefined],
  ['a handle that nobody was given', image('4::x'), 100],
  ['a document as a picture', image('4::pdf'), 100],
  ['no sample', { type: 'HEADER', format: 'VIDEO' }, 100],
  ['a code', copy('SAVE10'), undefined],
  ['a code in a list', copy(['SAVE10']), undefined],
  ['no code', copy(undefined), 100],
  ['a code of 16 characters', copy('X'.repeat(16)), 100],
])('%s: %j', (_, component, expected) => {
  expect(codeOf(() => checkParts([component], typeOf))).toBe(expected)
})

const otp = { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] }

test('an authentication template is kept with the platform’s own text', () => {
  const kept = writtenOut([
    { type: 'BODY', add_security_recommendation: true },
    { type: 'FOOTER', code_expiration_minutes: 10 },
    otp,
  ])
  expect(kept).toMatchObject([
    { text: '*{{1}}* is your verification code. For your security, do not share this code.' },
    { text: 'This code expires in 10 minutes.' },
    { buttons: [{ type: 'URL', text: 'Copy code' }] },
  ])
  expect(codeOf(() => writtenOut([{ type: 'BODY', text: 'Mine: {{1}}' }, otp]))).toBe(100)
  expect(codeOf(() => writtenOut([{ type: 'BODY' }]))).toBe(100)
  expect(codeOf(() => writtenOut([{ type: 'BODY' }, { type: 'FOOTER', code_expiration_minutes: 91 }, otp]))).toBe(100)
})

describe('a send', () => {
  const template = (components: object[]) => ({ components, parameterFormat: 'POSITIONAL' }) as unknown as Template
  const sent = (...components: object[]) => ({ components }) as unknown as SentTemplate
  const button = (sub_type: string, parameter: object) => ({
    type: 'button',
    sub_type,
    index: '0',
    parameters: [parameter],
  })

  test('names the code of a button, in its own kind of parameter', () => {
    const offer = template([{ type: 'BODY', text: 'Hello' }, copy('SAVE10')])
    const code = (parameter: object) => fillTemplate(offer, sent(button('copy_code', parameter))).buttons[0]?.payload
    expect(code({ type: 'coupon_code', coupon_code: '25OFF' })).toBe('25OFF')
    expect(codeOf(() => code({ type: 'text', text: '25OFF' }))).toBe(132012)
    expect(codeOf(() => code({ type: 'coupon_code' }))).toBe(131008)
    expect(codeOf(() => code({ type: 'coupon_code', coupon_code: 'X'.repeat(16) }))).toBe(131009)
    expect(codeOf(() => fillTemplate(offer, sent()))).toBe(132012)
  })

  test('has the code of an authentication template twice', () => {
    const signIn = template(writtenOut([{ type: 'BODY' }, otp]))
    const body = { type: 'body', parameters: [{ type: 'text', text: '482913' }] }
    const url = button('url', { type: 'text', text: '482913' })
    expect(fillTemplate(signIn, sent(body, url))).toMatchObject({
      body: '*482913* is your verification code.',
      buttons: [{ type: 'OTP', payload: '482913' }],
    })
    expect(codeOf(() => fillTemplate(signIn, sent(body)))).toBe(131008)
    expect(codeOf(() => fillTemplate(signIn, sent(url)))).toBe(132000)
  })

  test('has the place of a header in full', () => {
    const visit = template([
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'Hello' },
    ])
    const location = { latitude: '12.9', longitude: '77.6', name: 'Chai & Co', address: 'MG Road' }
    const header = (location: object) => ({ type: 'header', parameters: [{ type: 'location', location: location }] })
    expect(fillTemplate(visit, sent(header(location))).header).toMatchObject({ media: location })
    expect(codeOf(() => fillTemplate(visit, sent(header({ ...location, name: '' }))))).toBe(131009)
    expect(codeOf(() => fillTemplate(visit, sent()))).toBe(132012)
  })
})
