import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import type { Template } from '@parley/contracts/templates/templates'
import { business, dayMs, hourMs } from './facts.ts'

type Draft = Omit<Template, 'id' | 'createdAt' | 'updatedAt' | 'version' | 'language' | 'buttons'> & {
  readonly changedAgoMs: number
  readonly language?: Template['language']
  readonly buttons?: TemplateButton[]
}

const optOut = 'Reply STOP to opt out'
const shop = (text: string, path: string): TemplateButton => ({
  kind: 'url',
  text,
  url: `https://chaiandco.example/${path}`,
})
const reply = (text: string): TemplateButton => ({ kind: 'quick_reply', text })
const call = (text: string): TemplateButton => ({ kind: 'phone', text, phone: business.phone })

const drafts: readonly Draft[] = [
  {
    name: 'order_shipped',
    category: 'utility',
    status: 'approved',
    quality: 'high',
    header: 'Order {{1}} is on its way',
    body: 'Hi {{2}}, we have packed your order {{1}} and handed it to the courier. It should reach you by {{3}}.\n\nYour tracking number: ```{{4}}``` (valid from tonight).',
    buttons: [shop('Track my order', 'track/{{4}}'), reply('Change address')],
    examples: { 1: 'CC-20481', 2: 'Priya', 3: 'Thursday', 4: 'BLR7730912' },
    changedAgoMs: 96 * dayMs,
  },
  {
    name: 'weekend_offer',
    category: 'marketing',
    status: 'approved',
    quality: 'high',
    body: 'Good morning {{first_name}}! This weekend only: buy two tins of loose-leaf tea and the third is on us. ☕\n\n_Valid in our shops and online, while stocks last._',
    footer: optOut,
    buttons: [shop('Pick your teas', 'weekend')],
    examples: { first_name: 'Rahul' },
    changedAgoMs: 68 * dayMs,
  },
  {
    name: 'summer_sale',
    category: 'marketing',
    status: 'approved',
    quality: 'high',
    header: 'Summer sale is here ☀️',
    body: 'Hi {{first_name}}, our *summer sale* has begun: *{{discount}} off* all iced teas, pitchers and glassware.\n\nOrders above ₹999 ship free, until Sunday midnight.',
    footer: optOut,
    buttons: [shop('Shop the sale', 'summer'), reply('Show me iced teas')],
    examples: { first_name: 'Priya', discount: '20%' },
    changedAgoMs: 34 * dayMs,
  },
  {
    name: 'new_blend_launch',
    category: 'marketing',
    status: 'approved',
    quality: 'high',
    header: 'A new blend in our shop',
    body: 'Hi {{first_name}}, it took us a year of tasting, and today we pour the first cup of *{{blend}}*.\n\nBe among the first to try it: every order this week comes with a free sample tin.',
    footer: optOut,
    buttons: [shop('Taste it', 'new'), reply('Tell me more')],
    examples: { first_name: 'Ananya', blend: 'Monsoon Malabar chai' },
    changedAgoMs: 70 * dayMs,
  },
  {
    name: 'vip_early_access',
    category: 'marketing',
    status: 'approved',
    quality: 'high',
    header: 'For our best customers',
    body: 'Dear {{1}}, as one of our best customers you may order {{2}} a full day before everyone else.\n\nThere are *120 pieces* and no second batch.',
    footer: optOut,
    buttons: [shop('Order early', 'vip'), call('Call the shop')],
    examples: { 1: 'Ravi', 2: 'Nilgiri winter flush' },
    changedAgoMs: 21 * dayMs,
  },
  {
    name: 'cart_reminder',
    category: 'marketing',
    status: 'approved',
    quality: 'medium',
    body: 'Hello {{1}}, you left {{2}} in your basket. We keep it for you until tomorrow evening.\n\nAny question? Just answer this message.',
    footer: optOut,
    buttons: [shop('Back to my basket', 'basket'), reply('I need help')],
    examples: { 1: 'Meera', 2: 'the copper kettle' },
    changedAgoMs: 52 * dayMs,
  },
  {
    name: 'wholesale_prices',
    category: 'marketing',
    status: 'approved',
    quality: 'medium',
    body: 'Hello {{first_name}}, our wholesale list for {{month}} is ready: 42 teas, 18 of them organic, and new rates from 25 kg.\n\n~Minimum order ₹15,000~ Now from ₹10,000.',
    footer: 'Chai & Co Wholesale',
    buttons: [shop('Open the list', 'wholesale'), call('Talk to sales')],
    examples: { first_name: 'Omar', month: 'March' },
    changedAgoMs: 15 * dayMs,
  },
  {
    name: 'festive_hampers',
    category: 'marketing',
    status: 'approved',
    quality: 'high',
    language: 'hi',
    header: 'त्योहार के तोहफ़े',
    body: 'नमस्ते {{1}}, इस त्योहार पर अपनों को चाय की खुशबू भेजिए। *हमारे उपहार पैक ₹499 से शुरू।*\n\nशुक्रवार तक ऑर्डर करें, हम समय पर पहुँचाएँगे।',
    footer: 'बंद करने के लिए STOP लिखें',
    buttons: [shop('उपहार देखें', 'hampers')],
    examples: { 1: 'प्रिया' },
    changedAgoMs: 31 * dayMs,
  },
  {
    name: 'eid_collection',
    category: 'marketing',
    status: 'pending',
    language: 'ar',
    header: 'مجموعة العيد',
    body: 'مرحبًا {{1}}، وصلت مجموعة العيد: شاي بالهيل، وكؤوس مزخرفة، وعلب هدايا.\n\n*توصيل مجاني* للطلبات قبل يوم الخميس.',
    footer: 'للإيقاف أرسل STOP',
    buttons: [shop('تسوق الآن', 'eid')],
    examples: { 1: 'محمد' },
    changedAgoMs: 3 * hourMs,
  },
  {
    name: 'feedback_request',
    category: 'utility',
    status: 'pending',
    body: 'Hi {{first_name}}, your order {{order_id}} arrived two days ago. How was everything?\n\nYour answer goes straight to our packing team.',
    buttons: [reply('All good'), reply('Something was wrong')],
    examples: { first_name: 'Kavya', order_id: 'CC-20397' },
    changedAgoMs: 20 * hourMs,
  },
  {
    name: 'flash_deal',
    category: 'utility',
    status: 'rejected',
    rejectionReason:
      'The category does not fit: a utility template confirms or updates an order, this one advertises a discount. Choose the category marketing and send it again.',
    body: 'Hi {{1}}, for the next three hours every teapot is *30% off*. Use the code TEATIME at the checkout.',
    buttons: [shop('Get the deal', 'flash')],
    examples: { 1: 'Vikram' },
    changedAgoMs: 5 * dayMs,
  },
  {
    name: 'account_code',
    category: 'authentication',
    status: 'rejected',
    rejectionReason:
      'An authentication template carries a one-time code and nothing else. Remove the invitation to the loyalty club.',
    body: 'Your code is {{1}}. It is valid for ten minutes. While you are here: join our loyalty club and collect points.',
    examples: { 1: '482913' },
    changedAgoMs: 9 * dayMs,
  },
]

/** The story's templates by id, the latest changed first. */
export function createTemplates(now: Date): Map<string, Template> {
  const templates = drafts.map(({ changedAgoMs, ...draft }, index): Template => {
    const id = `template-${index + 1}`
    const at = new Date(now.getTime() - changedAgoMs).toISOString()
    return {
      id,
      createdAt: at,
      updatedAt: at,
      version: 1,
      language: 'en',
      buttons: [],
      ...draft,
    }
  })
  const latestFirst = templates.toSorted((left, right) => right.updatedAt.localeCompare(left.updatedAt))
  return new Map(latestFirst.map((template) => [template.id, template]))
}
