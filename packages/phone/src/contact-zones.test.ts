import { expect, test } from 'vitest'
import { zonesOf } from './contact-zones.ts'
import { callingCodes } from './phone.ts'

const contact = (over: object) => ({ attributes: [], ...over })
const named = (v: string, k = 'timezone') => ({ phone: '+919876543210', attributes: [{ k, v }] })
const india = ['Asia/Calcutta']

test.each<[string, object, readonly string[]]>([
  ['the country of the phone number', { phone: '+919876543210' }, india],
  [
    'the country of the WhatsApp user id',
    { waUserId: 'DE.13491208655302741918' },
    ['Europe/Berlin', 'Europe/Busingen'],
  ],
  ['the phone number before the user id', { phone: '+919876543210', waUserId: 'DE.13491208655302741918' }, india],
  ['the attribute before both', named('America/New_York'), ['America/New_York']],
  ['the attribute in any case, by one of its names', named(' asia/kolkata ', 'TimeZone'), india],
  ['an attribute that names no zone says nothing', named('Mumbai'), india],
  ['nor does an offset', named('+05:30'), india],
  ['another attribute neither', named('America/New_York', 'zone'), india],
  // Countries that share +1 with the United States.
  ['Jamaica', { phone: '+18765550123' }, ['America/Jamaica']],
  [
    'a form of a number that is not dialled any more',
    { phone: '+5491123456789' },
    zonesOf(contact({ waUserId: 'AR.1' })),
  ],
  ['a number that no country has', { phone: '+99912345678' }, []],
  ['a number for the whole world', { phone: '+80012345678' }, []],
  ['Kosovo', { phone: '+38344123456' }, ['Europe/Belgrade']],
  ['Ascension', { phone: '+24740123' }, ['Atlantic/St_Helena']],
  ['Tristan da Cunha', { waUserId: 'TA.1' }, ['Atlantic/St_Helena']],
  ['a user id of no country', { waUserId: '13491208655302741918' }, []],
  ['nothing', {}, []],
])('%s', (_name, over, zones) => expect(zonesOf(contact(over))).toEqual(zones))

test.each([
  ['US', '+12125550123', ['America/New_York', 'America/Los_Angeles', 'America/Phoenix', 'Pacific/Honolulu']],
  ['BR', '+5511987654321', ['America/Sao_Paulo', 'America/Noronha', 'America/Rio_Branco']],
  ['RU', '+79161234567', ['Europe/Kaliningrad', 'Europe/Moscow', 'Asia/Kamchatka']],
])('of a country with several all count: %s', (country, phone, some) => {
  const zones = zonesOf(contact({ phone }))
  expect(zones).toEqual(expect.arrayContaining(some))
  expect(zonesOf(contact({ waUserId: `${country}.13491208655302741918` }))).toEqual(zones)
})

test('a number that tells no country may be in any that shares its code', () => {
  const ofCode = ['RU', 'KZ'].flatMap((country) => zonesOf(contact({ waUserId: `${country}.1` })))
  expect(zonesOf(contact({ phone: '+79999999999999' })).toSorted()).toEqual([...new Set(ofCode)].toSorted())
})

test.each(callingCodes())(
  '$country has zones, by a user id and by its calling code $callingCode',
  ({ country, callingCode }) => {
    const zones = zonesOf(contact({ waUserId: `${country}.13491208655302741918` }))
    expect(zones.length).toBeGreaterThan(0)
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
    // A number too long to exist: the code alone decides.
    expect(zonesOf(contact({ phone: `${callingCode}000000000000000` }))).toEqual(expect.arrayContaining([...zones]))
  },
)
