import { templatePlaceholders } from '@parley/contracts/templates/placeholders'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { createSampleDataset } from '@parley/sample/sample-dataset'
import { expect, test } from 'vitest'
import { readComponents } from './read-components.ts'
import { definitionOf, sendComponents } from './template-components.ts'

const again = (content: TemplateContent) => {
  const { name, language, category } = content
  return { name, language, category, ...readComponents(definitionOf(content).components).content }
}

test('what is read of a template is, written again, the same at WhatsApp', () => {
  const templates = [...createSampleDataset({ now: new Date() }).templates.values()]
  expect(templates).not.toHaveLength(0)
  for (const template of templates)
    expect(definitionOf(again(template)).components, template.name).toEqual(definitionOf(template).components)
})

test('each part’s variables become variables of the whole template', () => {
  const { content, unsupported } = readComponents([
    { type: 'header', format: 'text', text: 'Order {{1}}', example: { header_text: ['CC-1'] } },
    { type: 'BODY', text: 'Hi {{1}}, it comes on {{2}}. Bye.', example: { body_text: [['Asha', 'Friday']] } },
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', example: ['https://a.example/77'] }],
    },
  ])
  expect(unsupported).toEqual([])
  expect(content).toEqual({
    header: 'Order {{3}}',
    body: 'Hi {{1}}, it comes on {{2}}. Bye.',
    buttons: [{ kind: 'url', text: 'Track', url: 'https://a.example/{{4}}' }],
    examples: { 1: 'Asha', 2: 'Friday', 3: 'CC-1', 4: '77' },
  })
})

const base = { name: 'tea', language: 'en', category: 'marketing' as const, buttons: [], examples: { 1: 'Asha' } }
const body = 'Hi {{1}}, our new tea is here.'
const file = { mediaId: 'file-1', name: 'menu.pdf', mimeType: 'application/pdf', sizeBytes: 9 }
const location = { latitude: 12.97, longitude: 77.6, name: 'Chai & Co', address: 'MG Road' }
const code = { kind: 'copy_code' as const, text: 'Copy offer code' }

test.each<[string, TemplateContent]>([
  ['a document', { ...base, body, headerMedia: { kind: 'document', file } }],
  ['a place', { ...base, body, headerMedia: { kind: 'location', place: location } }],
  [
    'a carousel',
    {
      ...base,
      body,
      cards: ['{{2}}', '{{4}}'].map((key, index) => ({
        headerMedia: {
          kind: 'image' as const,
          file: { mediaId: 'f', name: 'f.png', mimeType: 'image/png', sizeBytes: 1 },
        },
        body: `Tea for ${key}`,
        buttons: [{ kind: 'url' as const, text: 'Shop', url: `https://chai.example/{{${3 + 2 * index}}}` }],
      })),
      examples: { 1: 'Asha', 2: '4', 3: 'a', 4: '5', 5: 'b' },
    },
  ],
  ['one code for all', { ...base, body, buttons: [{ ...code, code: 'SAVE10' }] }],
  ['a code for each', { ...base, body, buttons: [{ ...code, code: '{{2}}' }], examples: { 1: 'Asha', 2: 'SAVE10' } }],
])('%s is, once it is at WhatsApp, what it was here', (_, content) => {
  const { components } = definitionOf(content, ['4::handle'])
  expect(readComponents(components, content)).toEqual({
    content: { ...content, name: undefined, language: undefined, category: undefined },
    unsupported: [],
  })
})

test('headers and codes that were written elsewhere can be sent once somebody has given them what is missing', () => {
  const { content, unsupported } = readComponents([
    { type: 'HEADER', format: 'VIDEO', example: { header_handle: ['https://scontent.example/v'] } },
    { type: 'BODY', text: 'Hi {{1}}, here.', example: { body_text: [['Asha']] } },
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy offer code', example: ['SAVE10'] }] },
  ])
  expect(unsupported).toEqual([])
  expect(content).toMatchObject({
    headerMedia: { kind: 'video' },
    buttons: [{ ...code, code: '{{2}}' }],
    examples: { 2: 'SAVE10' },
  })
  expect(
    readComponents([
      { type: 'HEADER', format: 'GIF' },
      { type: 'BODY', text: 'Hi' },
    ]).unsupported,
  ).toEqual(['gif header'])
})

test('an authentication template is known by its button, in whatever language WhatsApp has written it', () => {
  const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
  const { content, unsupported } = readComponents([
    { type: 'BODY', text: '*{{1}}* es tu código de verificación.', add_security_recommendation: true },
    { type: 'FOOTER', text: 'Este código caduca en 5 minutos.', code_expiration_minutes: 5 },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copiar código', url, example: [url] }] },
  ])
  expect(unsupported).toEqual([])
  expect(content).toMatchObject({
    authentication: { securityRecommendation: true, expiresInMinutes: 5 },
    body: '*{{code}}* es tu código de verificación.',
    buttons: [],
  })
  expect(sendComponents(content, { code: '482913' })).toEqual([
    { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '482913' }] },
  ])
  const [, ...rest] = definitionOf({ ...base, ...content, category: 'authentication' }).components
  expect(rest).toEqual([
    { type: 'FOOTER', code_expiration_minutes: 5 },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ])
})

const app = { packageName: 'com.example.shop', signatureHash: 'K8a/AINcGX7' }
test.each([
  [
    'one tap, by the address of its button',
    {
      type: 'URL',
      text: 'Autofill',
      url: `https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&cta_display_name=Autofill&package_name=${app.packageName}&signature_hash=${encodeURIComponent(app.signatureHash)}&code=otp{{1}}`,
    },
    { kind: 'one_tap', apps: [app] },
  ],
  [
    'no tap, by the fields of its button',
    {
      type: 'OTP',
      otp_type: 'ZERO_TAP',
      text: 'Copy code',
      supported_apps: [{ package_name: app.packageName, signature_hash: app.signatureHash }],
    },
    { kind: 'zero_tap', apps: [app] },
  ],
  [
    'one tap, of apps that are not told',
    { type: 'URL', text: 'Autofill', url: 'https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&code=otp{{1}}' },
    { kind: 'one_tap', apps: [] },
  ],
])('a code that an app takes over at %s is one code in text and button', (_, button, autofill) => {
  const { content, unsupported } = readComponents([
    { type: 'BODY', text: '*{{1}}* is your verification code.', example: { body_text: [['123456']] } },
    { type: 'BUTTONS', buttons: [button] },
  ])
  expect(unsupported).toEqual([])
  expect(content).toMatchObject({ authentication: { autofill }, buttons: [], examples: { code: '123456' } })
  expect(templatePlaceholders(content)).toEqual(['code'])
  const parameters = [{ type: 'text', text: '482913' }]
  expect(sendComponents(content, { code: '482913' })).toEqual([
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: '0', parameters },
  ])
  // Written again, it is the same.
  const { components } = definitionOf({ ...base, ...content, category: 'authentication' })
  expect(readComponents(components).content.authentication).toEqual(content.authentication)
})

test('an address that only looks like WhatsApp’s is a link', () => {
  const url = 'https://example.com/?next=whatsapp.com/otp/&otp_type=ONE_TAP&code={{1}}'
  const { content } = readComponents([
    { type: 'BODY', text: 'Hi' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url }] },
  ])
  expect(content).toMatchObject({ buttons: [{ kind: 'url' }] })
  expect(content).not.toHaveProperty('authentication')
})

test.each([
  ['nothing', [], ['text that Parley cannot show']],
  ['no objects', [null, 7, 'x'], ['text that Parley cannot show', 'a part that Parley does not know']],
  ['a part of a later version', [{ type: 'BODY', text: 'Hi' }, { type: 'HOLOGRAM' }], ['hologram']],
  [
    'parts with other shapes',
    [
      { type: 'BODY', text: 'Hi', example: 5 },
      { type: 'BUTTONS', buttons: 'none' },
    ],
    ['buttons'],
  ],
])('%s is read without an error', (_, components, unsupported) => {
  expect(readComponents(components).unsupported).toEqual(unsupported)
})
