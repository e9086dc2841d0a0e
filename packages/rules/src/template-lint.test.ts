import { type Authentication, authenticationTexts } from '@parley/contracts/templates/template-authentication'
import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import { errorRules, openWarnings, warningRules } from '@parley/contracts/templates/template-findings'
import type { TemplateContent } from '@parley/contracts/templates/templates'
import { expect, test } from 'vitest'
import { accountLimits, type LintFacts } from './template-account.ts'
import { lintTemplate } from './template-lint.ts'

const content: TemplateContent = {
  name: 'order_update',
  language: 'en',
  category: 'utility',
  body: 'Hello {{1}}, your order is on its way to you.',
  buttons: [],
  examples: { 1: 'Asha' },
}
const now = new Date('2026-11-26T10:00:00.000Z')
const facts: LintFacts = { now, isNameTaken: false, count: 3, createdLately: 1, maybeUnverified: true, related: [] }
const stored = { name: 'order_update', language: 'en', category: 'utility', status: 'approved', editedAt: [] }
const reply = (text: string): TemplateButton => ({ kind: 'quick_reply', text })
const link = (url: string, text = 'Open'): TemplateButton => ({ kind: 'url', text, url })
const call = (phone: string, text = 'Call'): TemplateButton => ({ kind: 'phone', text, phone })
const copy = (code: string, text = 'Copy offer code'): TemplateButton => ({ kind: 'copy_code', text, code })
const form = (text = 'Book', screen?: string): Extract<TemplateButton, { kind: 'flow' }> => ({
  kind: 'flow',
  text,
  form: '77',
  ...(screen && { screen }),
})
const offer = (text = 'Expiring offer!', hasExpiration = true) => ({ text, hasExpiration })
const ring = (text = 'Call us', minutes?: number): TemplateButton => ({
  kind: 'voice_call',
  text,
  ...(minutes && { minutes }),
})
const catalog = (product?: string): TemplateButton => ({
  kind: 'catalog',
  text: 'View catalog',
  ...(product && { product }),
})
const shelf = (count = 1, title = 'Teas'): TemplateButton => ({
  kind: 'products',
  text: 'View items',
  product: 'tea-0',
  sections: [{ title, products: Array.from({ length: count }, (_, index) => `tea-${index}`) }],
})
const view: TemplateButton = { kind: 'product', text: 'View' }
const product = (id = 'tea-1') => ({ kind: 'product' as const, product: { id, catalogId: '1948369870' } })
type Card = NonNullable<TemplateContent['cards']>[number]
const card = (over: Partial<Card> = {}): Card => ({
  headerMedia: { kind: 'image', file: { mediaId: 'file-1', name: 'tea.jpg', mimeType: 'image/jpeg', sizeBytes: 1000 } },
  body: 'First flush',
  buttons: [{ kind: 'quick_reply', text: 'More' }],
  ...over,
})
/** A carousel of a card, and another one that differs from it. */
const carousel = (over: Partial<Card> = {}): Partial<TemplateContent> => ({
  category: 'marketing',
  cards: [card(), card(over)],
})
const mib = 1024 * 1024
const location = { latitude: 12.97, longitude: 77.6, name: 'Chai & Co', address: 'MG Road, Bengaluru' }
const photo = (file: object = {}, kind: 'image' | 'video' | 'document' = 'image') => ({
  kind,
  file: { mediaId: 'file-1', name: 'tea.jpg', mimeType: 'image/jpeg', sizeBytes: 1000, ...file },
})
const authentication = (chosen: Authentication) => ({
  authentication: chosen,
  ...authenticationTexts(chosen),
  examples: { code: '482913' },
})
const links = (count: number) => Array.from({ length: count }, (_, index) => link('https://chai.example', `L${index}`))
const hour = 3600_000

type Case = [rule: string, passes: Partial<TemplateContent & LintFacts>, fails: Partial<TemplateContent & LintFacts>]
const cases: Case[] = [
  ['required', {}, { body: ' ' }],
  ['required', {}, { name: '' }],
  ['required', { buttons: [reply('Yes')] }, { buttons: [reply('')] }],
  ['name_form', { name: 'tea_2' }, { name: 'Tea time' }],
  ['too_long', { name: 'n'.repeat(512) }, { name: 'n'.repeat(513) }],
  ['too_long', { header: 'h'.repeat(60) }, { header: 'h'.repeat(61) }],
  ['too_long', { body: 'b '.repeat(512) }, { body: `b${' b'.repeat(512)}` }],
  ['too_long', { footer: 'f'.repeat(60) }, { footer: 'f'.repeat(61) }],
  ['too_long', { buttons: [reply('r'.repeat(25))] }, { buttons: [reply('r'.repeat(26))] }],
  ['too_long', {}, { buttons: [link(`https://chai.example/${'p'.repeat(2000)}`)] }],
  ['too_long', { buttons: [call('+918041234567')] }, { buttons: [call(`+${'9'.repeat(20)}`)] }],
  ['placeholder_form', {}, { body: 'Hello {{First Name}}, your order is on its way.' }],
  ['placeholder_kinds', {}, { body: 'Hello {{1}}, your order from {{city}} is on its way to you.' }],
  ['placeholder_gap', {}, { body: 'Hello {{1}}, your order from {{3}} is on its way to you.' }],
  ['variable_edge', {}, { body: 'This is on its way: {{1}}' }],
  ['variable_edge', {}, { body: '{{1}}, this is on its way.' }],
  ['variables_adjacent', {}, { body: 'Hello {{1}} {{2}}, your order is on its way to you.' }],
  ['variables_many', { body: 'Hi {{1}}, you there?' }, { body: 'Hi {{1}}, you.' }],
  ['header_variables', { header: 'For {{1}}' }, { header: '{{1}} and {{2}}' }],
  ['footer_variable', { footer: 'Chai & Co' }, { footer: 'For {{1}}' }],
  [
    'url_variable',
    { buttons: [link('https://chai.example/{{1}}')] },
    { buttons: [link('https://chai.example/{{1}}/a')] },
  ],
  ['url_form', { buttons: [link('https://chai.example')] }, { buttons: [link('chai')] }],
  ['url_ip', { buttons: [link('https://chai.example')] }, { buttons: [link('https://10.0.0.7/a')] }],
  ['button_variable', { buttons: [reply('Yes')] }, { buttons: [reply('Yes {{1}}')] }],
  ['button_text_twice', { buttons: [reply('Yes'), reply('No')] }, { buttons: [reply('Yes'), reply('YES')] }],
  ['button_count', {}, { buttons: Array.from({ length: 11 }, (_, index) => reply(`R${index}`)) }],
  ['url_count', { buttons: links(2) }, { buttons: links(3) }],
  [
    'phone_count',
    { buttons: [call('+918041234567')] },
    { buttons: [call('+918041234567'), call('+918041234567', 'Ask')] },
  ],
  ['phone_form', { buttons: [call('+918041234567')] }, { buttons: [call('080 4123')] }],
  ['replies_apart', { buttons: [reply('A'), ...links(1)] }, { buttons: [reply('A'), ...links(1), reply('B')] }],
  ['code_count', { buttons: [copy('SAVE10')] }, { buttons: [copy('SAVE10'), copy('SAVE20', 'Copy it')] }],
  ['code_form', { buttons: [copy('C'.repeat(15))] }, { buttons: [copy('C'.repeat(16))] }],
  [
    'code_form',
    { buttons: [copy('{{2}}')], examples: { 1: 'Asha', 2: 'SAVE10' } },
    { buttons: [copy('SAVE{{2}}')], examples: { 1: 'Asha', 2: '10' } },
  ],
  [
    'sample_form',
    { buttons: [copy('{{2}}')], examples: { 1: 'Asha', 2: 'C'.repeat(15) } },
    { buttons: [copy('{{2}}')], examples: { 1: 'Asha', 2: 'C'.repeat(16) } },
  ],
  ['header_two', { headerMedia: photo() }, { headerMedia: photo(), header: 'Hello' }],
  ['header_sample', { headerMedia: photo() }, { headerMedia: { kind: 'image' } }],
  ['header_sample', { headerMedia: { kind: 'location', place: location } }, { headerMedia: { kind: 'location' } }],
  ['header_file', { headerMedia: photo() }, { headerMedia: photo({ sizeBytes: 5 * mib + 1 }) }],
  ['header_file', { headerMedia: photo() }, { headerMedia: photo({ mimeType: 'image/webp' }) }],
  [
    'header_file',
    { headerMedia: photo({ mimeType: 'video/mp4', sizeBytes: 16 * mib }, 'video') },
    { headerMedia: photo({ mimeType: 'video/3gpp' }, 'video') },
  ],
  [
    'header_file',
    { headerMedia: photo({ mimeType: 'application/pdf', sizeBytes: 100 * mib }, 'document') },
    { headerMedia: photo({ mimeType: 'text/plain' }, 'document') },
  ],
  [
    'authentication_text',
    { category: 'authentication', ...authentication({ securityRecommendation: true, expiresInMinutes: 10 }) },
    { category: 'authentication', ...authentication({ securityRecommendation: true }), footer: 'Chai & Co' },
  ],
  ['sample_missing', {}, { examples: {} }],
  ['sample_form', {}, { examples: { 1: 'Asha\tRao' } }],
  ['authentication_text', {}, { category: 'authentication' }],
  ['name_taken', {}, { isNameTaken: true }],
  ['name_blocked', { nameFreeAt: now }, { nameFreeAt: new Date(now.getTime() + hour) }],
  ['fixed_field', { stored }, { stored, name: 'another' }],
  ['fixed_field', { stored: { ...stored, status: 'rejected' }, category: 'utility' }, { stored, language: 'hi' }],
  [
    'fixed_field',
    { stored: { ...stored, status: 'paused', category: 'marketing' } },
    { stored: { ...stored, category: 'marketing' } },
  ],
  ['fixed_field', { stored: { ...stored, status: 'draft' }, language: 'hi' }, { stored, language: 'hi' }],
  ['not_editable', { stored }, { stored: { ...stored, status: 'pending' } }],
  ['not_editable', { stored }, { stored: { ...stored, status: 'disabled' } }],
  ['not_editable', { stored }, { stored: { ...stored, unsupported: ['carousel'] } }],
  [
    'edit_budget',
    { stored: { ...stored, editedAt: [new Date(now.getTime() - 25 * hour)] } },
    { stored: { ...stored, editedAt: [now] } },
  ],
  ['template_limit', { count: accountLimits.templates - 1 }, { count: accountLimits.templates }],
  ['template_limit', { count: accountLimits.templates, stored }, { count: accountLimits.templates }],
  [
    'template_limit',
    { count: accountLimits.templates, stored },
    { count: accountLimits.templates, stored: { ...stored, status: 'draft' } },
  ],
  ['creates_an_hour', { createdLately: 99 }, { createdLately: 100 }],
  ['template_limit_near', { count: 249 }, { count: 250 }],
  ['template_limit_near', { count: 250, maybeUnverified: false }, { count: 250 }],
  [
    'same_text',
    { related: [{ ...content, name: 'b', body: 'Hello {{1}}, something else.' }] },
    { related: [{ ...content, name: 'b' }] },
  ],
  [
    'other_language',
    { related: [{ ...content, language: 'hi' }] },
    { related: [{ ...content, language: 'hi', category: 'marketing' }] },
  ],
  ['other_language', {}, { related: [{ ...content, language: 'hi', body: 'नमस्ते {{name}}, नमस्ते जी' }] }],
  ['other_language', {}, { related: [{ ...content, language: 'hi', buttons: [reply('हाँ')] }] }],
  ['flow_count', { buttons: [form()] }, { buttons: [form(), form('Ask')] }],
  ['voice_call_count', { buttons: [ring()] }, { buttons: [ring(), ring('Ring')] }],
  ['form_choice', { buttons: [form()] }, { buttons: [{ ...form(), form: ' ' }] }],
  ['form_unusable', { buttons: [form()] }, { buttons: [form()], unusableForms: new Map([['77', 'It is a draft']]) }],
  ['screen_form', { buttons: [form('Book', 'WELCOME')] }, { buttons: [form('Book', 'first-one')] }],
  ['call_minutes', { buttons: [ring('Ring', 43_200)] }, { buttons: [ring('Ring', 43_201)] }],
  ['catalog_alone', { buttons: [catalog()] }, { buttons: [catalog(), reply('No')] }],
  ['marketing_only', { category: 'marketing', buttons: [catalog()] }, { buttons: [catalog()] }],
  ['products_header', { header: 'Tea', buttons: [shelf()] }, { buttons: [shelf()] }],
  ['product_form', { buttons: [catalog('{{2}}')] }, { buttons: [catalog('tea {{2}}')] }],
  ['product_form', { buttons: [catalog('')] }, { buttons: [catalog('p'.repeat(101))] }],
  ['sections_form', { buttons: [shelf(30)] }, { buttons: [shelf(31)] }],
  ['sections_form', {}, { buttons: [shelf(0)] }],
  ['sections_form', {}, { buttons: [shelf(1, 't'.repeat(25))] }],
  ['offer_text', { offer: offer('o'.repeat(16)) }, { offer: offer('o'.repeat(17)) }],
  ['offer_parts', { offer: offer(), headerMedia: photo() }, { offer: offer(), header: 'Tea' }],
  ['offer_parts', { offer: offer() }, { offer: offer(), footer: 'Chai & Co' }],
  ['offer_parts', { offer: offer() }, { offer: offer(), body: `b${' b'.repeat(300)}` }],
  ['offer_buttons', { offer: offer(), buttons: [copy('TEA25'), ...links(1)] }, { offer: offer(), buttons: links(1) }],
  ['offer_buttons', { offer: offer('Deal', false), buttons: links(1) }, { offer: offer('Deal', false) }],
  ['offer_buttons', {}, { offer: offer(), buttons: [...links(1), copy('TEA25')] }],
  ['product_button', { headerMedia: product(), buttons: [view] }, { headerMedia: product() }],
  ['product_button', {}, { buttons: [view] }],
  [
    'product_form',
    { headerMedia: product('{{2}}'), buttons: [view] },
    { headerMedia: product('tea {{2}}'), buttons: [view] },
  ],
  ['header_sample', { headerMedia: product(), buttons: [view] }, { headerMedia: { kind: 'product' }, buttons: [view] }],
  ['marketing_only', carousel(), { cards: [card(), card()] }],
  ['cards_count', carousel(), { cards: [card()] }],
  [
    'cards_count',
    { cards: Array.from({ length: 10 }, () => card()) },
    { cards: Array.from({ length: 11 }, () => card()) },
  ],
  ['cards_parts', carousel(), { ...carousel(), header: 'Tea' }],
  ['cards_parts', carousel(), { ...carousel(), headerMedia: photo() }],
  ['cards_parts', carousel(), { ...carousel(), footer: 'Chai & Co' }],
  ['cards_parts', carousel(), { ...carousel(), buttons: [reply('More')] }],
  ['cards_parts', carousel(), { ...carousel(), offer: offer() }],
  ['card_media', carousel(), carousel({ headerMedia: { kind: 'image' } })],
  ['card_media', carousel(), carousel({ headerMedia: { ...card().headerMedia, kind: 'video' } })],
  ['card_body', carousel(), carousel({ body: '' })],
  ['card_body', carousel({ body: 'b'.repeat(160) }), carousel({ body: 'b'.repeat(161) })],
  ['placeholder_form', carousel(), carousel({ body: 'For {{First Name}}' })],
  ['sample_missing', carousel(), carousel({ body: 'Today {{2}} only' })],
  ['card_buttons', carousel(), carousel({ buttons: [] })],
  ['card_buttons', carousel(), carousel({ buttons: [{ kind: 'url', text: 'Shop', url: 'https://chai.example' }] })],
  [
    'url_variable',
    carousel(),
    {
      cards: [card(), card()].map((one) => ({
        ...one,
        buttons: [{ kind: 'url', text: 'Shop', url: 'https://chai.example/{{1}}/a' }],
      })),
    },
  ],
  ['required', carousel(), carousel({ buttons: [{ kind: 'quick_reply', text: '' }] })],
  ['promotional', { category: 'marketing' }, { body: 'Hello {{1}}, everything is 20% off for you.' }],
  ['script', {}, { language: 'ta' }],
  ['decorated_line', { footer: 'Chai & Co' }, { footer: '*Chai*' }],
  ['line_breaks', { body: 'Hello {{1}},\n\nyour tea is here.' }, { body: 'Hello {{1}},\n\n\nyour tea is here.' }],
  ['emoji', {}, { body: `Hello {{1}}, ${'🎉'.repeat(11)} for you now.` }],
  ['capitals', {}, { body: 'HELLO {{1}}, YOUR ORDER IS ON ITS WAY.' }],
  ['exclamation', {}, { body: 'Hello {{1}}, your order is here!!' }],
  ['filled_length', {}, { body: `Hi {{1}}, ${'a '.repeat(505)}.`, examples: { 1: 'x'.repeat(40) } }],
  ['personal_sample', {}, { examples: { 1: 'asha@gmail.com' } }],
  ['no_way_out', { category: 'marketing', footer: 'Reply STOP to end' }, { category: 'marketing' }],
  ['short_link', { buttons: links(1) }, { buttons: [link('https://bit.ly/3x')] }],
  ['card_variables', carousel({ body: 'For {{1}} today' }), carousel({ body: 'Only today for {{1}}.' })],
  ['card_variables', carousel({ body: 'Now {{1}} off' }), carousel({ body: 'Now {{1}} {{1}} off' })],
]

const found = (over: Partial<TemplateContent & LintFacts>) =>
  lintTemplate({ ...content, ...over }, { ...facts, ...over })

test.each(cases)('%s: %j passes, %j does not', (rule, passes, fails) => {
  expect(found(passes).map((finding) => finding.rule)).not.toContain(rule)
  const finding = found(fails).find((one) => one.rule === rule)
  const level = warningRules.some((warningRule) => warningRule === rule) ? 'warning' : 'error'
  expect(finding).toMatchObject({ level, message: expect.stringMatching(/[^.]$/) })
})

test('each rule has a row', () => {
  // The rule about counted visits needs an address that counts them.
  const others = ['url_host_variable']
  const known = new Set([...cases.map(([rule]) => rule), ...others])
  expect([...errorRules, ...warningRules].filter((rule) => !known.has(rule))).toEqual([])
})

test('what follows the rules has nothing to be said of; a warning is open until it is accepted', () => {
  expect(found({})).toEqual([])
  const findings = found({ category: 'marketing', body: 'Hello {{1}}, your tea!!' })
  expect(openWarnings(findings).map(({ rule }) => rule)).toEqual(['exclamation', 'no_way_out'])
  expect(openWarnings(findings, ['no_way_out']).map(({ rule }) => rule)).toEqual(['exclamation'])
  expect(openWarnings(findings, ['no_way_out', 'exclamation'])).toEqual([])
})
