import { foldText } from '@parley/rules/fold-text'

/**
 * Words for yes and no in lists of people: in the languages of the countries whose numbers write, each with Excel's forms
 * of TRUE and FALSE (Microsoft Support, "TRUE function" and "FALSE function" in those languages).
 */
export const answerLabels: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  signs: ['1, 1.0, 1,0, x, ✓, ✔, ☑, ✅, √, ○, ◯', '0, 0.0, 0,0, ✗, ✘, ☐, ❌, ×'],
  states: [
    'in, opt in, optin, opted in, subscribed, granted, consented, agreed, accepted, allowed, approved, on, enabled',
    'out, opt out, optout, opted out, unsubscribed, not subscribed, never subscribed, denied, declined, refused, revoked, withdrawn, off, disabled',
  ],
  en: [
    'y, yes, yep, yeah, true, t, ok, okay, sure, i agree, agree, checked',
    'n, no, nope, false, f, disagree, unchecked',
  ],
  de: [
    'ja, j, wahr, zugestimmt, einverstanden, angemeldet',
    'nein, falsch, abgelehnt, nicht einverstanden, abgemeldet',
  ],
  fr: ['oui, vrai, d’accord, accepté, abonné, inscrit', 'non, faux, pas d’accord, refusé, désabonné, désinscrit'],
  es: ['sí, s, verdadero, cierto, acepto, aceptado, de acuerdo, suscrito', 'no acepto, falso, rechazado, no suscrito'],
  pt: ['sim, verdadeiro, aceito, aceite, de acordo, inscrito', 'não, não aceito, recusado, não inscrito'],
  it: ['sì, vero, accetto, accettato, d’accordo, iscritto', 'non accetto, rifiutato, non iscritto'],
  nl: ['waar, akkoord, aangemeld', 'nee, onwaar, niet akkoord, afgemeld'],
  da: ['sand', 'nej, falsk'],
  nb: ['sann', 'nei, usann'],
  sv: ['sant', 'falskt'],
  fi: ['kyllä, tosi', 'ei, epätosi'],
  pl: ['tak, prawda, zgoda', 'nie, fałsz, brak zgody'],
  cs: ['ano, pravda', 'ne, nepravda'],
  sk: ['áno', 'nie'],
  hu: ['igen, igaz', 'nem, hamis'],
  ro: ['da, adevărat, de acord, abonat', 'nu, fals, dezabonat'],
  el: ['ναι, αληθής, αληθές', 'όχι, ψευδής, ψευδές'],
  tr: ['evet, doğru, onaylı, kabul', 'hayır, yanlış, ret'],
  ru: ['да, д, истина, согласен, согласна', 'нет, н, ложь, не согласен, не согласна'],
  uk: ['так, істина, згоден, згодна', 'ні, хибність, не згоден, не згодна'],
  he: ['כן, אמת, מאשר, מסכים', 'לא, שקר, לא מאשר, לא מסכים'],
  ar: ['نعم, أجل, صح, صحيح, صواب, موافق, موافقة, مشترك', 'لا, كلا, خطأ, غير موافق, غير مشترك'],
  fa: ['بله, آری, درست', 'خیر, نه, نادرست'],
  ur: ['ہاں, جی, جی ہاں, درست', 'نہیں, جی نہیں, غلط'],
  hi: [
    'हाँ, हां, हा, जी, जी हाँ, जी हां, सही, सत्य, सहमत, haan, haa, ji haan',
    'नहीं, नही, ना, जी नहीं, गलत, ग़लत, असत्य, असहमत, nahi, nahin, nahee',
  ],
  mr: ['होय, हो', 'नाही'],
  bn: ['হ্যাঁ, হ্যা, জি, সত্য, সম্মত', 'না, মিথ্যা, অসম্মত'],
  pa: ['ਹਾਂ', 'ਨਹੀਂ'],
  gu: ['હા', 'ના'],
  ta: ['ஆம், ஆமாம்', 'இல்லை'],
  te: ['అవును', 'కాదు, లేదు'],
  kn: ['ಹೌದು', 'ಇಲ್ಲ, ಅಲ್ಲ'],
  ml: ['അതെ, ഉവ്വ്', 'അല്ല, ഇല്ല'],
  si: ['ඔව්', 'නැත, නෑ'],
  ne: ['छ, हो', 'छैन, होइन'],
  id: ['ya, iya, benar, setuju', 'tidak, tdk, salah, tidak setuju'],
  ms: ['betul, bersetuju', 'palsu, tidak bersetuju'],
  fil: ['oo, opo, tama', 'hindi, hindi po, mali'],
  vi: ['có, đúng, đồng ý', 'không, sai, không đồng ý'],
  th: ['ใช่, จริง, ยินยอม, ตกลง', 'ไม่, ไม่ใช่, เท็จ, ไม่ยินยอม'],
  zh: [
    '是, 有, 对, 對, 真, 同意, 已同意, 已订阅, 已訂閱',
    '否, 不, 无, 無, 假, 不同意, 未同意, 未订阅, 未訂閱, 已退订, 已退訂',
  ],
  ja: ['はい, 有, あり, 真, 可, 同意する, 同意済み', 'いいえ, 無, なし, 偽, 不可, 同意しない, 未同意'],
  ko: ['예, 네, 참, 동의, 동의함, 수신동의', '아니오, 아니요, 거짓, 미동의, 동의 안 함, 수신거부'],
  sw: ['ndiyo, ndio, kweli, nakubali', 'hapana, la, sikubali'],
  am: ['አዎ', 'አይ, አይደለም'],
  bg: ['вярно', 'не, невярно'],
  az: ['bəli', 'xeyr'],
  uz: ['ha', 'yo‘q, yoq'],
}

/** Normalises an answer: case, accents and connecting characters do not matter; signs count as themselves. */
function fold(cell: string): string {
  return foldText(cell)
    .replaceAll(/\p{Cf}|\ufe0e|\ufe0f/gu, '')
    .replaceAll(/[\s_\-–—'’‘.,;:!?"“”()[\]]+/g, ' ')
    .trim()
}

const folded = (index: 0 | 1): Set<string> =>
  new Set(Object.values(answerLabels).flatMap((words) => words[index].split(', ').map(fold)))
const yes = folded(0)
const no = folded(1)

/** Returns the consent that a list's cell states; `undefined` for what is neither yes nor no. */
export function readAnswer(cell: string): 'in' | 'out' | undefined {
  const word = cell.length > 40 ? '' : fold(cell)
  if (yes.has(word)) return 'in'
  return no.has(word) ? 'out' : undefined
}
