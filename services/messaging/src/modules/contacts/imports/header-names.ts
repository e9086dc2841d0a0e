import { foldText } from '@parley/rules/fold-text'

/** Meaning of a column by its header. */
export type HeaderMeaning =
  | { readonly kind: 'phone'; readonly rank: number; readonly isInternational: boolean }
  | { readonly kind: 'name'; readonly part: NamePart }
  | { readonly kind: 'user_id' | 'tags' | 'consent' | 'calling_code' | 'phone_label' | 'day' }
  /** Other known meanings: their columns are never a phone number, whatever they hold. */
  | { readonly kind: 'other' }

/** Parts of a name in the order in which they are joined; `bare` is a plain "name": all of it, or beside a first name. */
export const nameParts = ['full', 'first', 'middle', 'bare', 'last'] as const
export type NamePart = (typeof nameParts)[number]

/** Lower case without accents, words parted by single spaces: `Phone 1 - Value` is `phone 1 value`. */
export const plainHeader = (header: string): string =>
  foldText(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** @returns `undefined` where the header is empty or none of its words is known. */
export function meaningOf(header: string): HeaderMeaning | undefined {
  const whole = plainHeader(header)
  const withCode = / (with|incl|including|inkl|mit|avec|con|com|dengan)\b.*$/.test(whole)
  const text = whole.replace(
    / (with|without|incl|including|inkl|mit|ohne|avec|sans|con|sin|com|sem|dengan|tanpa)\b.*$/,
    '',
  )
  if (text === '') return undefined
  if (userId.test(text)) return { kind: 'user_id' }
  if (callingCode.test(text)) return { kind: 'calling_code' }
  if (isPhone(text)) {
    if (phoneLabel.test(text)) return { kind: 'phone_label' }
    // An id of WhatsApp is the number itself.
    if (neverPhone.test(text.replace(international, ''))) return { kind: 'other' }
    const isInternational =
      international.test(text) || (withCode && /code|vorwahl|indicati|prefi|codigo|isd/.test(whole))
    return { kind: 'phone', rank: rankOf(text), isInternational }
  }
  if (tags.test(text)) return { kind: 'tags' }
  if (consent.test(text)) return { kind: 'consent' }
  const part = namePartOf(text)
  if (part) return { kind: 'name', part }
  if (day.test(text)) return { kind: 'day' }
  return neverPhone.test(text) || other.test(text) ? { kind: 'other' } : undefined
}

/**
 * Ranks how well a number of this kind suits WhatsApp: 0 WhatsApp itself, 1 mobile, 2 plain, 3 at home or work, 4 a related
 * person; a half more for the second one of a kind.
 */
function rankOf(text: string): number {
  const isWhatsApp = whatsApp.test(text)
  const kind = isWhatsApp ? 0 : related.test(text) ? 4 : mobile.test(text) ? 1 : placeLabel.test(text) ? 3 : 2
  const isSecond = second.test(text) || (kind < 2 && placeLabel.test(text))
  return kind + (isSecond ? 0.5 : 0)
}

/** Returns the rank of a number whose label says this: `undefined` for one that is no phone, such as a fax. */
export function rankOfLabel(label: string): number | undefined {
  const text = plainHeader(label)
  return neverPhone.test(text) ? undefined : rankOf(text)
}

const isPhone = (text: string) => whatsApp.test(text) || mobile.test(text) || phone.test(text)

const words = (...texts: string[]) => texts.join('|')
/** Patterns are compared with folded headers: their own letters have to be folded in the same way. */
const folded = (pattern: RegExp | string) =>
  new RegExp(foldText(typeof pattern === 'string' ? pattern : pattern.source))

const whatsApp = folded(
  /whats ?app|^wa$|\bwa (id|number|no|nr|phone|nomor)|(no|nr|nomor) wa\b|واتس|व्हाट्सए?प|вотсап|ватсап|ווטסאפ/,
)
const international = /\bwa id\b|\bmsisdn\b|\bjid\b|whats ?app (id|jid)|e ?164|international/
const mobile = folded(
  words(
    'mobil|movil|handy|handphone|\\bcell|celular|cellulare|portable|\\bgsm\\b|telemovel|\\bhp\\b|ponsel|selular|seluler',
    '\\bmob\\d?\\b|\\bmov\\b|mobiel|\\bcep\\b|komork|kannykk|matkapuhelin|di dong|\\bkinito\\b',
    'मोबाइल|मोबाईल|মোবাইল|மொபைல்|جوال|محمول|موبايل|موبایل|همراه|نقال|נייד|мобил|сотов|κινητο|มือถือ|手机|手機|行動|携帯|휴대',
  ),
)
const phone = folded(
  words(
    'phone(?!tic)|telef|telep|\\btel\\b|\\btelp\\b|\\btlp\\b|\\btlf\\b|\\btfn\\b|\\bfon\\b|\\bfone\\b|\\bfono\\b|rufnummer|puhelin|dien thoai|\\bsdt\\b',
    '^(\\w+ )?ph( ?(nos?|num|numbers?))?( ?\\d)?$|\\btelf\\b|^tel ?\\d$|msisdn|\\bjid\\b|^numbers?$|^numeros?$|^nummer$|^nomor$|^numara$|^numer$',
    '^(contact|kontakt|calling|dial) ?(no|number|nr|nummer)s?( 1)?$|^(nomor|numero|numara) (de )?(kontak|contact[oe]?|contato)$',
    'फ\u093c?ोन|दूरभाष|ফোন|தொலைபேசி|هاتف|تلفون|تليفون|تلفن|טלפון|телеф|τηλεφων|โทร|电话|電話|전화|^संपर्क नंबर$|^رقم$',
  ),
)
/** Names of other lines and devices, and of remarks about a number. */
const neverPhone = folded(
  words(
    '\\b(tele)?fax|pager|beeper|telex|\\btty\\b|\\btdd\\b|isdn|assist|\\basst\\b|sekret|secret|callback|ruckruf|ruckmeldung|\\bradio\\b',
    'फैक्स|فاكس|факс|传真|傳真|팩스|ファックス',
    '\\b(ext|extn|extension|durchwahl|country|carrier|provider|operator|verified|verifie|status|valid|type|typ|label|tipo|art)\\b',
    'opt (in|out)|opted|consent|subscri|do not|\\bdate\\b|\\btime\\b|\\bcount\\b|\\bmodel\\b|\\bbrand\\b|\\bcost\\b|\\blast call|\\bnotes?\\b',
    'emergenc|notfall|\\bmanager|\\bowner|\\bagent\\b|referr|referral|\\b(id|ids|uuid|guid)\\b|accepts|marketing|support',
  ),
)
const phoneLabel = /\b(label|type|typ|tipo|art|kind)\b/
const callingCode = folded(
  /^(default address |billing |shipping |phone |mobile |tel |whats ?app )?(country|calling|dial|dialing|dialling|isd|phone) code$|^(isd|ddi)$|^(lander|landes)?(vorwahl|kennzahl)$|^indicati[fv]o?( (du )?pays| pais)?$|^(codigo|code|codice|kode) (de |do |del |du |di )?(pais|pays|paese|negara)$|^prefisso( internazionale)?$|^prefijo$|^ulke kodu$|^देश कोड$|^(رمز|كود) (الدولة|البلد)$|^phone country$/,
)
const placeLabel = folded(
  words(
    'home|\\bwork|business|office|company|\\bmain\\b|landline|fixed|\\bother|address|shipping|alternat|secondary|daytime|evening|\\bcar\\b',
    'privat|geschaft|dienst|festnetz|weitere|zuhause|arbeit|buro|firma|haupt|auto|\\bcasa\\b|trabajo|trabalho|oficina|escritorio|residen|comerc|empresa|otro|outro',
    'domicile|bureau|travail|professionnel|\\bfixe\\b|autre|maison|ufficio|lavoro|fisso|abitazione|\\baltro|kantor|rumah|\\bev\\b|\\bis\\b|घर|कार्यालय|منزل|عمل|مكتب|дом|рабоч|家|公司|宅|自宅|会社|勤務',
  ),
)
const related = /spouse|partner|parent|guardian|father|mother|husband|\bwife\b|relative|nominee/
const second = /\b[2-9]\b|\b(second|zweite|segund|deuxieme)/

const userId = /^(whats ?app )?user id$|^(bsuid|business scoped user id)$/
const tags = folded(
  /^(tags?|labels?|groups?|group membership|lists?|categor(y|ies)|kategorien?|schlag(wort|worter)|gruppen?|etiquetas?|etiquettes?|etichett[ae]|grupos?|groupes?|gruppi|categorias?|categorie[s]?|etiket(ler)?|grup(lar)?|टैग|समूह|وسوم|المجموعات|метки|группы|标签|標籤|タグ)$/,
)
const consent = folded(
  /^((whats ?app )?marketing )?(consent|opt ?in|subscribed|marketing)( status)?$|^(whats ?app )(consent|opt ?in)$|^(einwilligung|zustimmung|consentement|consentimiento|consentimento|consenso|persetujuan|onay|izin|सहमति|موافقة|الموافقة|согласие)$/,
)
const day = folded(
  /birth|\bdob\b|\bbday\b|geburt|naissance|nacimiento|nascimento|nascita|lahir|dogum|जन्म|ميلاد|рожден|生日|誕生|생일|\bdate\b|\bdatum\b|\bfecha\b|\bdata\b|\btanggal\b|\btarih/,
)
const other = folded(
  words(
    '\\b(id|ids|uuid|guid|no|nr|code|sku|order|orders|invoice|account|acct|tax|vat|gst|gstin|pan|aadhaar|iban|zip|pin|pincode|postal|postcode|plz)\\b',
    'e ?mail|correo|courriel|\\bcity\\b|\\bort\\b|ciudad|ville|citta|kota|\\bsehir\\b|शहर|مدينة|address|adres|direccion|endereco|indirizzo|alamat|पता|عنوان',
    'country|\\bland\\b|\\bpais\\b|\\bpays\\b|paese|negara|\\bulke|देश|company|organi[sz]ation|firma|empresa|entreprise|azienda|perusahaan|website|\\burl\\b|notes?\\b|notiz|remark|amount|total|price|spent|created|updated|added|last contact|kundennummer|steuer',
  ),
)

/** Words before a name's own words that do not change them. */
const owner =
  /^(customer|contact|client|member|person|lead|guest|patient|student|subscriber|recipient|billing|primary|whats ?app)s? (?=\S)/
const names: readonly (readonly [NamePart, RegExp])[] = [
  [
    'full',
    /^((full|display|complete|whole) names?|fullname|nom complet|nom et prenoms?|prenoms? et nom|nombre completo|nombres? y apellidos?|nome completo|nome e cognome|nama lengkap|vollstandiger name|vor und nachname|ad soyad|adi soyadi|isim soyisim|पूरा नाम|الاسم (الكامل|بالكامل)|姓名|氏名|お名前|성명|фио|ho (va )?ten|ονοματεπωνυμο|שם מלא)$/,
  ],
  [
    'first',
    /^((first|given|fore) ?names?|vorname|prenoms?|primer nombre|primeiro nome|nama depan|ilk ad|पहला नाम|प्रथम नाम|الاسم الاول|名|имя|שם פרטי)$/,
  ],
  [
    'middle',
    /^((middle|additional|second) ?names?|zweiter vorname|weitere vornamen|deuxieme prenom|segundo nombre|nome do meio|secondo nome|मध्य नाम|отчество)$/,
  ],
  [
    'last',
    /^((last|family|sur) ?names?|surname|nachname|familienname|nom de famille|apellidos?|cognome|sobrenome|apelido|nama belakang|soyad(i|ı)?|soyisim|उपनाम|कुलनाम|अंतिम नाम|اسم العائلة|اللقب|الكنية|اسم الاب|姓|фамилия|שם משפחה)$/,
  ],
  [
    'bare',
    /^(names?|nom|nome|nombres?|nama|isim|ad|adi|naam|navn|namn|imie i nazwisko|नाम|ग्राहक का नाम|নাম|பெயர்|الاسم|اسم|名字|客户|客户姓名|名前|이름|имя клиента|клиент|ονομα|שם|ชื่อ|ten|customer|contact|client|kunde|kundenname|kontakt|kontaktname|cliente|contatto|contacto|contato|nombre (del )?cliente|nome (do )?cliente|nom (du )?client|nama pelanggan|pelanggan|musteri|musteri adi)$/,
  ],
]

const foldedNames = names.map(([part, pattern]) => [part, folded(pattern)] as const)

function namePartOf(text: string): NamePart | undefined {
  for (const form of [text, text.replace(owner, '')])
    for (const [part, pattern] of foldedNames) if (pattern.test(form)) return part
  return undefined
}
