import { expect, test } from 'vitest'
import { guessColumns } from './columns.ts'
import { headersOf } from './header-row.ts'

const guess = (rows: string[][], headerRow = 1) => guessColumns(headersOf(rows, headerRow), rows.slice(headerRow), 'IN')
const targetsOf = (rows: string[][], headerRow = 1) => guess(rows, headerRow).map(({ target }) => target)
const [name, phone, other, tags, detail, ignore, code] = [
  'name',
  'phone',
  'other_phone',
  'tags',
  'attribute',
  'ignore',
  'calling_code',
] as const

test.each([
  [
    ['Name', 'Phone', 'Tags', 'City'],
    [name, phone, tags, detail],
  ],
  [
    ['First Name', 'Last Name', 'Mobile Number', 'E-mail'],
    [name, name, phone, detail],
  ],
  [
    ['firstName', 'phoneNumber', 'labels'],
    [name, phone, tags],
  ],
  [
    ['customer', 'whatsapp', ''],
    [name, phone, ignore],
  ],
  [
    ['Name', 'WhatsApp', 'WhatsApp user id', 'BSUID'],
    [name, phone, 'user_id', detail],
  ],
  [
    ['Full name', 'Phone', 'Mobile'],
    [name, other, phone],
  ],
  [
    ['Name', 'Phone', 'Tags', 'Labels', 'Opt-in'],
    [name, phone, tags, detail, 'consent'],
  ],
  // The old and the new export of Google Contacts.
  [
    [
      'Name',
      'Given Name',
      'Family Name',
      'Group Membership',
      'E-mail 1 - Type',
      'Phone 1 - Type',
      'Phone 1 - Value',
      'Phone 2 - Type',
      'Phone 2 - Value',
    ],
    [name, name, name, tags, detail, ignore, phone, ignore, other],
  ],
  [
    ['First Name', 'Phonetic First Name', 'Labels', 'E-mail 1 - Label', 'Phone 1 - Label', 'Phone 1 - Value'],
    [name, detail, tags, detail, ignore, phone],
  ],
  // The export of Outlook.
  [
    [
      'First Name',
      'Last Name',
      'Company',
      'Business Fax',
      'Business Phone',
      'Home Phone',
      'Mobile Phone',
      'Pager',
      'Assistant’s Phone',
      'Primary Phone',
      'Categories',
    ],
    [name, name, detail, detail, other, other, phone, detail, detail, other, tags],
  ],
  [
    [
      'Vorname',
      'Nachname',
      'Fax geschäftlich',
      'Telefon geschäftlich',
      'Telefon privat',
      'Mobiltelefon',
      'Telefon Assistent',
      'Geburtstag',
    ],
    [name, name, detail, other, other, phone, detail, detail],
  ],
  // Shops and customer lists.
  [
    [
      'Customer ID',
      'First Name',
      'Last Name',
      'Accepts SMS Marketing',
      'Default Address Country Code',
      'Default Address Phone',
      'Phone',
      'Total Spent',
    ],
    [detail, name, name, detail, code, other, phone, detail],
  ],
  [
    [
      'Record ID',
      'First Name',
      'Last Name',
      'Phone Number',
      'Mobile Phone Number',
      'WhatsApp Phone Number',
      'Contact owner',
      'Create Date',
    ],
    [detail, name, name, other, other, phone, detail, detail],
  ],
  [
    [
      'Record Id',
      'Contact Owner',
      'First Name',
      'Last Name',
      'Full Name',
      'Account Name',
      'Phone',
      'Mobile',
      'Asst Phone',
      'Fax',
      'Tag',
    ],
    [detail, detail, name, name, name, detail, other, phone, detail, detail, tags],
  ],
  [
    ['AccountId', 'LastName', 'FirstName', 'Phone', 'MobilePhone', 'HomePhone', 'AssistantPhone', 'Birthdate'],
    [detail, name, name, other, phone, other, detail, detail],
  ],
  [
    ['billing_first_name', 'billing_last_name', 'billing_phone', 'shipping_phone', 'billing_postcode'],
    [name, name, phone, other, detail],
  ],
  [
    ['Phone Country Code', 'Phone Number', 'Phone Type', 'Phone Verified', 'Name'],
    [code, phone, ignore, detail, name],
  ],
  [
    ['Name', 'WhatsApp Number (with country code)', 'GST No', 'PAN'],
    [name, phone, detail, detail],
  ],
  // Spreadsheets in other languages.
  [
    ['Kunde', 'Ländervorwahl', 'Handynummer', 'Kundennummer', 'PLZ'],
    [name, code, phone, detail, detail],
  ],
  [
    ['Name', 'Vorname', 'Telefax', 'Festnetz Telefon', 'Handy'],
    [name, name, detail, other, phone],
  ],
  [
    ['Nom', 'Prénom', 'Téléphone fixe', 'Téléphone portable', 'Date de naissance'],
    [name, name, other, phone, detail],
  ],
  [
    ['Nom complet', 'Numéro de téléphone', 'Étiquettes'],
    [name, phone, tags],
  ],
  [
    ['Nombre', 'Apellidos', 'Teléfono', 'Móvil', 'Código postal', 'Etiquetas'],
    [name, name, other, phone, detail, tags],
  ],
  [
    ['Nome', 'Sobrenome', 'Telefone comercial', 'Celular', 'CPF'],
    [name, name, other, phone, detail],
  ],
  [
    ['Nome', 'Cognome', 'Telefono', 'Cellulare', 'Indirizzo'],
    [name, name, other, phone, detail],
  ],
  [
    ['Nama', 'No HP', 'Alamat'],
    [name, phone, detail],
  ],
  [
    ['Nama Lengkap', 'Nomor Telepon', 'Nomor WA'],
    [name, other, phone],
  ],
  [
    ['नाम', 'मोबाइल नंबर', 'शहर'],
    [name, phone, detail],
  ],
  [
    ['पूरा नाम', 'फ़ोन', 'व्हाट्सएप'],
    [name, other, phone],
  ],
  [
    ['Adı', 'Soyadı', 'Cep Telefonu', 'İş Telefonu', 'Şehir'],
    [name, name, phone, other, detail],
  ],
  [
    ['الاسم', 'رقم الجوال', 'المدينة'],
    [name, phone, detail],
  ],
  [
    ['الاسم الأول', 'اسم العائلة', 'هاتف المنزل', 'واتساب'],
    [name, name, other, phone],
  ],
  [
    ['Имя', 'Фамилия', 'Телефон', 'Мобильный'],
    [name, name, other, phone],
  ],
  [
    ['姓名', '手机', '固定电话'],
    [name, phone, other],
  ],
] as const)('columns named %j become %j', (header, targets) => {
  expect(targetsOf([[...header]])).toEqual(targets)
})

test('among columns of one kind, what stands in them decides', () => {
  const rows = [
    ['Name', 'Phone', 'Telephone'],
    ['Asha', '12345', '+91 98765 43210'],
    ['Ravi', '12345', '+91 98765 43211'],
  ]
  expect(guess(rows)).toMatchObject([
    { target: 'name' },
    { target: 'other_phone', reason: 'Used where Telephone has no valid number, else kept as a detail.' },
    { target: 'phone', reason: '“Telephone” names a phone number; 2 of the first 2 cells are valid numbers.' },
  ])
  const models = [
    ['Name', 'Phone', 'Contact'],
    ['Asha', 'Pixel', '9876543210'],
  ]
  expect(targetsOf(models)).toEqual(['name', 'attribute', 'phone'])
})

test.each([
  'Ph No',
  'Ph. No.',
  'PH',
  'Customer ph no',
  'Mob No',
  'Mob. No.',
  'Mob',
  'Mob number',
  'Telf',
  'Mov',
  'Tel1',
  'Mobiel',
])('a column called %s holds phone numbers', (header) => {
  const rows = [
    ['Sr No', 'Name', header],
    ['1', 'Asha', '9876543210'],
  ]
  expect(targetsOf(rows)).toEqual(['attribute', 'name', 'phone'])
})

test('a column whose header says nothing is the phone by what stands in it, an id or a day never', () => {
  const rows = [
    ['Name', 'Customer no', 'Birthday', 'Kontaktdaten'],
    ['Asha', '9876543999', '1990-02-03', '+91 98765 43210'],
  ]
  expect(guess(rows)).toMatchObject([
    { target: 'name' },
    { target: 'attribute' },
    { target: 'attribute' },
    { target: 'phone', reason: 'Its cells are numbers: 1 of the first 1 cells are valid numbers.' },
  ])
})

test('behind the columns of our own export stand details, whatever they are called', () => {
  const header = ['Name', 'Phone', 'Tags', 'Last contact (Asia/Kolkata)', 'Added (Asia/Kolkata)', 'WhatsApp user id']
  expect(targetsOf([[...header, 'city', 'Mobile', 'Customer', 'Consent']])).toEqual([
    ...['name', 'phone', 'tags', 'ignore', 'ignore', 'user_id'],
    ...['attribute', 'attribute', 'attribute', 'attribute'],
  ])
})

test('without a header, name, phone and address are known by their cells', () => {
  const rows = [
    ['Asha Rao', '98765 43210', '17', 'asha@example.org'],
    ['Ravi', '98765 43211', '18', ''],
  ]
  expect(targetsOf(rows, 0)).toEqual(['name', 'phone', 'ignore', 'attribute'])
  expect(guess(rows, 0).map(({ header }) => header)).toEqual(['Column 1', 'Column 2', 'Column 3', 'Email'])
})
