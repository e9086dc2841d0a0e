import { bot, campaign, customer, failures, type Line, note, reaction, system, team } from './conversation-line.ts'
import { media } from './conversation-media.ts'

/**
 * The conversations of the six people whom the story names, the last line being their contact's latest message. The
 * dashboard shows three of them: Priya wrote 2 minutes ago, nothing reached Rahul 47 minutes ago, Ananya wrote 190
 * minutes ago.
 */
export const knownThreads: readonly (readonly Line[])[] = [
  [
    customer(0, 'Hi, I saw your masala chai gift box on Instagram. Do you ship to Pune?'),
    bot(0.2, {
      type: 'interactive',
      text: 'Hello {first}, welcome to Chai & Co ☕ What can we do for you?',
      options: [
        { id: 'order', title: 'Place an order' },
        { id: 'track', title: 'Track an order' },
        { id: 'person', title: 'Talk to a person' },
      ],
    }),
    customer(1, {
      type: 'interactive',
      text: 'Talk to a person',
      options: [{ id: 'person', title: 'Talk to a person' }],
      chosen: 'person',
    }),
    system(0.1, 'Handed over to Priya Nair'),
    team(4, 'Hi {first}, Priya here. Yes, we ship to Pune in 2 to 3 days. The gift box is ₹ 1,450 with free delivery.'),
    team(0.5, media.tins('The three tins in the box: masala, cardamom and ginger.')),
    customer(3, 'Lovely! Can I swap the ginger for Darjeeling?'),
    team(2, 'Of course. Darjeeling First Flush costs ₹ 150 more, so ₹ 1,600 in all. Shall I book it?'),
    customer(1, 'Yes please 🙏'),
    team(6, 'Done. Your order is {order}; here is the invoice.'),
    team(0.4, media.invoice()),
    reaction(2, '❤️', 1),
    customer(2_870, 'The parcel came today, everything is perfect. My mother loves the kettle on your page too.'),
    team(22, media.kettle('This one? Cast iron, 1.2 litres, ₹ 2,890.')),
    customer(9, 'Yes! Is it in stock?'),
    customer(1, 'And could it reach her in Nagpur before Sunday?'),
  ],
  [
    campaign(0, {
      type: 'template',
      templateId: 'template-1',
      name: 'order_shipped',
      text: 'Hi {first}, your order {order} has left our warehouse. You can follow it from your account.',
    }),
    customer(190, 'Thanks. When does it arrive?'),
    bot(0.2, 'Order {order} is on its way with BlueDart and should be with you by tomorrow evening.'),
    customer(1_420, 'It says delivered but nobody rang my bell'),
    team(12, 'I am sorry, {first}. I have asked the courier where it was left. May I have the address again?'),
    customer(5, {
      type: 'location',
      latitude: 12.9784,
      longitude: 77.6408,
      name: 'Home',
      address: '14, 12th Main Road, Indiranagar, Bengaluru 560038',
    }),
    team(4, 'Thank you, got it.'),
    note(1, 'Courier claims it is with the guard at gate 2. Ask him to check there before we send another.'),
    team(
      35,
      'Good news: the courier left it with the guard at gate 2. Could you have a look and tell me whether the brass saucepan is in one piece?',
      { status: 'failed', error: failures.unreachable },
    ),
    customer(42, 'Sorry, my phone was off. Found it at gate 2! Saucepan is fine, thank you 👍'),
  ],
  [
    customer(0, 'Good morning, two of the six kulhads in my order arrived broken.'),
    customer(1, media.brokenCup('This is how they looked when I opened the box')),
    team(
      14,
      'Oh no, I am so sorry {first}. We replace them free of charge. Would you like the same set, or the money back for the two?',
    ),
    customer(
      8,
      'Same set please. They are for a housewarming on Saturday, so it would be great if they came by Friday.',
    ),
    team(
      182,
      'Two new kulhads leave today by express and reach you on Thursday. No need to send the broken ones back.',
      {
        status: 'delivered',
        answers: 1,
      },
    ),
  ],
  [
    customer(0, media.voice()),
    team(18, 'Hi {first}, I listened to your message. Yes, the loose-leaf Assam is back in stock, 250 g for ₹ 420.'),
    customer(4, 'Two packs then. Can I pay on delivery?'),
    team(3, 'Yes, cash or UPI on delivery. Order {order} is booked, it leaves tomorrow.'),
    customer(2, media.sticker()),
    team(1_300, 'Your parcel is on the way and should arrive before 6 pm.', { status: 'read' }),
  ],
  [
    system(0, 'Business hours today: 9 am to 7 pm'),
    customer(2, 'Morning! Third Wave Kitchen here. We need the usual, but double the cardamom this week.'),
    team(6, 'Good morning {first}. So 10 kg Assam CTC, 4 kg masala blend and 2 kg cardamom?'),
    customer(3, 'Correct. And please send the new price list, our manager asked for it.'),
    team(2, media.priceList()),
    team(1, 'Prices are unchanged until the end of the quarter, only saffron has gone up.'),
    customer(11, {
      type: 'contacts',
      contacts: [{ name: 'Joseph Mathew (Kitchen manager)', phones: ['+919845011223'] }],
    }),
    customer(1, 'Please put Joseph on the delivery note, he signs for it.'),
    team(4, 'Done. The van comes tomorrow between 7 and 8.', { status: 'read' }),
    reaction(1, '👍', 1),
    customer(6, 'Perfect, see you then'),
  ],
  [
    customer(0, 'السلام عليكم، هل ترسلون الشاي إلى دبي؟'),
    team(9, 'Wa alaikum assalam {first}! Yes, we ship to Dubai in 5 to 7 days, ₹ 900 for up to 2 kg.'),
    customer(3, 'ممتاز. أريد أربع علب من شاي الكرك مع الهيل، ولو سمحت أرسل لي صورة العلب قبل أن أدفع 🙏'),
    team(7, media.tins('The karak tin is the red one in the middle.')),
    customer(4, 'هذه هي! شكراً جزيلاً'),
    customer(1, { type: 'unsupported' }),
    team(
      5,
      'I could not open your last message, {first}. Could you send it as a text? Meanwhile, here is what your order holds:\n\n• 4 × Karak chai with cardamom, 250 g — ₹ 1,680\n• Gift wrapping — ₹ 120\n• Delivery to Dubai — ₹ 900\n\nTogether ₹ 2,700. Pay here: https://chaiandco.example/pay/{order}',
      { status: 'sent' },
    ),
  ],
]
