import { bot, campaign, customer, failures, type Line, note, reaction, system, team } from './conversation-line.ts'
import { media } from './conversation-media.ts'

export type Episode = readonly Line[]

const longQuestion = [
  'Hello, I hope you do not mind the long message, I would like to explain this properly before I order.',
  'We are opening a small reading café in Fort Kochi at the end of next month, with about thirty seats, and we want tea to be the heart of it. We tried your Assam Gold, the Darjeeling First Flush and the masala blend at home and liked all three very much. The masala blend in particular was the first one that tasted as it does at my grandmother’s house, with enough pepper to notice and not so much cinnamon that it turns into a cake.',
  'What I need to know is this. First, do you sell in 5 kg bags without tins, because we would keep the leaves in our own jars and the tins would only be thrown away. Second, is the price for 20 kg a month the same all year, or does it follow the auction? Third, could you train two of our people for a day? We would of course pay for it and for the travel.',
  'Besides, we need about forty kulhads, six cast-iron kettles and strainers which survive a dishwasher; the ones we have now are bent after three months. If you have something that looks a little rustic and is easy to stack, please send pictures with the measurements.',
  'There is no hurry, next week is fine. Thank you for reading to the end, and for the lovely card in the last parcel!',
].join('\n\n')

/** First lines of most conversations: how customers came to the business. */
export const firstEpisodes: readonly Episode[] = [
  [
    customer(0, 'Hi'),
    bot(0.2, 'Hello {first}, welcome to Chai & Co ☕ Ask us anything about tea, kettles or your order.'),
    customer(3, 'Just looking for now, thanks'),
    bot(0.2, 'Take your time. Our shop is open from 9 am to 7 pm.'),
  ],
  [
    customer(0, 'Do you have a shop in Bengaluru?'),
    bot(0.2, 'We do, on Church Street, open daily from 10 to 8.'),
    customer(2, 'Great, I will drop by 🙂'),
  ],
  [
    customer(0, 'My friend gave me your cardamom tea. Where can I order it?'),
    team(9, 'That is kind of your friend! You can order right here: 250 g is ₹ 380, 500 g is ₹ 690.'),
    customer(4, '500 g please'),
    team(2, 'Booked as {order}, it leaves tomorrow.'),
    customer(1, '👍'),
  ],
]

/** Later topics of conversations. */
export const episodes: readonly Episode[] = [
  [
    customer(0, 'Where is my order {order}?'),
    bot(0.2, 'Order {order} was packed this morning and leaves our warehouse today.'),
    customer(6, 'Ok thank you'),
  ],
  [
    customer(0, 'Can I change the address of {order}?'),
    team(7, 'Yes, it has not left yet. Which address should it go to?'),
    customer(3, 'C/o Sunrise Apartments, Flat 4B, Baner Road, Pune 411045'),
    team(2, 'Changed. You will get a message when it leaves.'),
    reaction(1, '🙏', 1),
    customer(2, 'Thanks a lot!'),
  ],
  [
    customer(0, 'Is the cast-iron kettle dishwasher safe?'),
    team(5, 'Please wash it by hand, {first}. Dry it well and it will last for generations.'),
    customer(2, 'Good to know. I take one.'),
    team(3, media.kettle('This is the one, 1.2 litres. ₹ 2,890 with free delivery.')),
    customer(4, 'Yes that one, in black'),
    team(1, 'Order {order} is booked.'),
  ],
  [
    customer(0, 'The masala blend smells wonderful 😍😍'),
    team(20, 'That makes our day, {first}! Would you mind leaving us a review?'),
    customer(9, 'Sure, will do tonight'),
  ],
  [
    customer(0, 'I need 40 gift boxes for Diwali with our company logo. What would that cost?'),
    team(11, 'For 40 boxes we charge ₹ 1,180 each with printed sleeves. Shall I send an offer?'),
    team(1, media.priceList()),
    customer(15, 'Please. We decide by Friday.'),
    note(2, 'Ask for the logo as a vector file. Margin allows ₹ 1,120 if they take 60.'),
  ],
  [
    customer(0, media.brokenCup('One cup came broken 😞')),
    team(6, 'We are sorry! A new one goes out today, free of charge. No need to return the broken one.'),
    customer(5, 'That was quick, thank you'),
  ],
  [
    customer(0, 'Do you have decaf?'),
    bot(0.2, 'We have three teas without caffeine: lemongrass, rooibos chai and tulsi.'),
    customer(2, 'Tulsi 100 g please'),
    bot(0.2, {
      type: 'interactive',
      text: 'Tulsi 100 g is ₹ 260. Shall I book it?',
      options: [
        { id: 'yes', title: 'Yes, book it' },
        { id: 'no', title: 'Not now' },
      ],
    }),
    customer(1, {
      type: 'interactive',
      text: 'Yes, book it',
      options: [{ id: 'yes', title: 'Yes, book it' }],
      chosen: 'yes',
    }),
    bot(0.2, 'Booked as {order}.'),
  ],
  [
    customer(0, 'I have paid by UPI but the site says payment pending'),
    team(8, 'I see your payment, {first}. The bank needed a moment. Order {order} is confirmed.'),
    team(0.5, media.invoice()),
    customer(3, 'Perfect'),
  ],
  [
    customer(0, media.video('How do I fix the lid of the kettle? See the video')),
    team(12, 'Press the knob down and turn it a quarter to the left, then the lid sits flat.'),
    customer(4, 'It works! 🎉'),
  ],
  [customer(0, longQuestion), team(55, 'What a lovely plan, {first}! I will answer each point by tomorrow noon.')],
  [
    customer(0, 'Can I pick up {order} myself?'),
    team(5, {
      type: 'location',
      latitude: 12.9753,
      longitude: 77.6033,
      name: 'Chai & Co, Church Street',
      address: '27 Church Street, Bengaluru 560001',
    }),
    team(0.5, 'Any time between 10 and 8. Just tell us the order number.'),
    customer(2, 'See you at 5'),
  ],
  [
    customer(0, 'How long do the leaves stay fresh?'),
    team(6, 'In a closed tin away from light: a year for black tea, six months for green.'),
    customer(1, 'Thanks!'),
    customer(1, 'And one more question, do you refill tins?'),
  ],
  [
    customer(0, 'Please call me about the wholesale order'),
    system(0.1, 'Handed over to Arjun Rao'),
    team(10, 'Calling you in five minutes, {first}.'),
    customer(30, 'Thank you for the call. All clear now.'),
  ],
]

/** Campaigns without an answer yet; free text cannot be sent after them. */
export const campaignEpisodes: readonly Episode[] = [
  [
    campaign(0, {
      type: 'template',
      templateId: 'template-4',
      name: 'new_blend_launch',
      text: 'Hi {first}, it took us a year of tasting, and today we pour the first cup of Monsoon Malabar chai.',
    }),
  ],
  [
    campaign(
      0,
      {
        type: 'template',
        templateId: 'template-3',
        name: 'summer_sale',
        text: 'Hi {first}, our summer sale has begun: 20% off all kulhads and iced teas until Sunday.',
      },
      { status: 'failed', error: failures.tooMany },
    ),
  ],
  [
    team(0, 'Your refund for {order} has been paid out.'),
    team(1, media.invoice(), { status: 'failed', error: failures.media }),
  ],
]

/** Conversations in the customer's own language, found by the script of the name. */
export const episodesByScript: readonly { script: RegExp; episode: Episode }[] = [
  {
    script: /\p{Script=Arabic}/u,
    episode: [
      customer(0, 'مرحباً، هل لديكم أباريق نحاسية كبيرة؟'),
      team(8, 'نعم، لدينا إبريق بسعة لترين بسعر 3,450 روبية.'),
      customer(3, 'جميل جداً! أريد اثنين مع كيلو من شاي masala، والتوصيل إلى Jayanagar من فضلك.'),
      team(4, 'تم تسجيل طلبك {order} وسيصلك غداً.'),
      customer(2, 'شكراً لكم 🌹'),
    ],
  },
  {
    script: /\p{Script=Devanagari}/u,
    episode: [
      customer(0, 'नमस्ते, क्या आपके पास अदरक वाली चाय है?'),
      team(6, 'नमस्ते! जी हाँ, 250 ग्राम का पैकेट ₹ 320 में है।'),
      customer(2, 'दो पैकेट भेज दीजिए'),
      team(3, 'आपका ऑर्डर {order} कल तक पहुँच जाएगा।'),
      customer(1, 'धन्यवाद 🙏'),
    ],
  },
  {
    script: /\p{Script=Han}/u,
    episode: [
      customer(0, '你好，請問有大吉嶺紅茶嗎？'),
      team(9, '您好！有的，大吉嶺初摘 100 克 ₹ 640。'),
      customer(2, '我要三罐，謝謝！'),
    ],
  },
]

/** A café's orders, morning after morning: what fills a thread of thousands. */
export const wholesaleEpisodes: readonly Episode[] = [
  [
    customer(0, 'Good morning! The usual for tomorrow please.'),
    team(4, 'Good morning {first}. 10 kg Assam CTC and 4 kg masala blend?'),
    customer(2, 'Yes, that is it.'),
    team(1, 'Booked, the van comes between 7 and 8.'),
  ],
  [
    customer(0, 'We are low on cardamom, can you add 1 kg?'),
    team(6, 'Added to tomorrow’s delivery.'),
    customer(1, '👍'),
  ],
  [
    team(0, 'The van is outside your kitchen.'),
    customer(3, 'Got everything, signed by Joseph.'),
    team(1, media.invoice()),
  ],
  [
    customer(0, 'Two of the strainers are bent again'),
    customer(1, 'Can you take them back?'),
    team(9, 'Sure, give them to the driver. New ones come along.'),
    customer(2, 'Great'),
  ],
]
