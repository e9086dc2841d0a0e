import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import ShopOutlined from '@ant-design/icons/ShopOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import type { MessageContent as Content } from '@parley/contracts/inbox/messages'
import { parsePhone } from '@parley/phone'
import { bodyOf } from '@parley/rules/template-parts'
import { CardRow } from '../../../ui/card-row.tsx'
import { OfferStrip } from '../../../ui/offer-strip.tsx'
import { type Media, MediaContent } from './media-content.tsx'
import { MessageCard } from './message-card.tsx'
import styles from './message-content.module.css'
import { MessageText } from './message-text.tsx'
import { OrderContent } from './order-content.tsx'

/**
 * Shows a message's content of any kind.
 * @param mentions names of members whom a note mentions by `@`.
 */
export function MessageContent({ content, mentions = [] }: { content: Content; mentions?: readonly string[] }) {
  switch (content.type) {
    case 'text':
    case 'system':
      return <MessageText text={content.text} mentions={mentions} />
    case 'template':
      return <TemplateContent content={content} />
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return <MediaContent content={content} mentions={mentions} />
    case 'location':
      return <Place location={content} />
    case 'contacts':
      return content.contacts.map((card) => (
        <MessageCard
          key={JSON.stringify(card)}
          icon={<UserOutlined />}
          title={card.name}
          detail={<ContactLines card={card} />}
        />
      ))
    case 'order':
      return <OrderContent order={content} />
    case 'interactive':
      return <Interactive content={content} />
    case 'reaction':
      return <p className={styles['note']}>Reacted {content.emoji} to an earlier message</p>
    case 'unsupported':
      return <p className={styles['note']}>{unsupportedText(content)}</p>
  }
}

/** A template with its parts as WhatsApp sets them. */
function TemplateContent({ content }: { content: Extract<Content, { type: 'template' }> }) {
  const { name, header, headerText, offer, footer, cards } = content
  return (
    <>
      <p className={styles['kind']}>Template · {name}</p>
      {header && <TemplateHeader header={header} />}
      {offer && <OfferStrip offer={offer} />}
      {headerText && (
        <p className={styles['header']} dir="auto">
          {headerText}
        </p>
      )}
      <MessageText text={bodyOf(content)} />
      {footer && (
        <p className={styles['detail']} dir="auto">
          {footer}
        </p>
      )}
      {cards && (
        <CardRow
          cards={cards.map((card) => ({
            ...card,
            above: card.header && <TemplateHeader header={card.header} />,
          }))}
        />
      )}
    </>
  )
}

type Header = NonNullable<Extract<Content, { type: 'template' }>['header']>

/** The file, place or product above the text of a template. */
function TemplateHeader({ header }: { header: Header }) {
  if (header.kind === 'location') {
    const { latitude, longitude, name, address } = header
    const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
    return <MessageCard icon={<EnvironmentOutlined />} title={name} detail={address} url={url} />
  }
  if (header.kind === 'product')
    return <MessageCard icon={<ShopOutlined />} title={header.id} detail={`Product of catalogue ${header.catalogId}`} />
  const { kind: type, ...file } = header
  const content: Media = { type, ...file, url: `/api/media/${file.mediaId}` }
  return <MediaContent content={content} />
}

/** A place on the map, and the page that its sender named for it. */
function Place({ location }: { location: Extract<Content, { type: 'location' }> }) {
  const { latitude, longitude, name, address, url } = location
  return (
    <>
      <MessageCard
        icon={<EnvironmentOutlined />}
        title={name ?? 'Location'}
        detail={address ?? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`}
        url={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`}
      />
      {url && <MessageText text={url} />}
    </>
  )
}

type Card = Extract<Content, { type: 'contacts' }>['contacts'][number]

function ContactLines({ card: { company, phones, emails = [] } }: { card: Card }) {
  const lines = [
    ...(company ? [{ text: company }] : []),
    ...phones.map((phone) => {
      const known = parsePhone(phone)
      return known ? { text: known.international, href: `tel:${known.e164}` } : { text: phone }
    }),
    ...emails.map((email) => ({ text: email, href: `mailto:${encodeURIComponent(email).replace('%40', '@')}` })),
  ]
  return lines.map(({ text, href }: { text: string; href?: string }) => (
    <span key={text} className={styles['line']}>
      {href ? <a href={href}>{text}</a> : text}
    </span>
  ))
}

const kinds: Readonly<Record<string, string>> = {
  poll: 'A poll',
  poll_creation: 'A poll',
  view_once: 'A photo or video to be viewed once',
  list: 'A list',
  event: 'An event',
  hsm: 'A template',
  group_invite: 'An invitation to a group',
}

function unsupportedText({ named = '', reason }: Extract<Content, { type: 'unsupported' }>): string {
  if (reason === 'too_large')
    return 'A file that is too large for WhatsApp to pass on. Ask the customer for one of less than 100 MB.'
  if (named === 'media_placeholder')
    return 'A photo or file from before this number was connected. Open WhatsApp on your phone to see it.'
  const what = kinds[named]
  return what
    ? `${what}. WhatsApp does not pass it on to businesses: open WhatsApp on your phone, or ask the customer.`
    : 'This kind of message cannot be shown here. Open WhatsApp on your phone.'
}

const forms: Readonly<Record<string, string>> = { address_message: 'Sent an address' }

function Interactive({ content }: { content: Extract<Content, { type: 'interactive' }> }) {
  if (content.answers)
    return (
      <>
        <p className={styles['kind']}>{forms[content.form ?? ''] ?? 'Answered a form'}</p>
        {content.answers.length === 0 && <MessageText text={content.text} />}
        <dl className={styles['answers']}>
          {content.answers.map(({ question, answer }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: answers never change, and two may be to one question.
            <div key={at}>
              <dt dir="auto">{question}</dt>
              <dd dir="auto">{answer}</dd>
            </div>
          ))}
        </dl>
      </>
    )
  if (content.chosen !== undefined)
    return (
      <>
        <p className={styles['kind']}>
          {content.card === undefined ? 'Chose an option' : `Chose an option on card ${content.card}`}
        </p>
        <MessageText text={content.text} />
        {content.description && (
          <p className={styles['detail']} dir="auto">
            {content.description}
          </p>
        )}
      </>
    )
  return (
    <>
      <MessageText text={content.text} />
      {content.footer && (
        <p className={styles['detail']} dir="auto">
          {content.footer}
        </p>
      )}
      {content.button && (
        <p className={styles['kind']} dir="auto">
          {content.button}
        </p>
      )}
      {content.options.length > 0 && (
        <ul className={styles['options']} aria-label="Options">
          {content.options.map(({ id, title, description }) => (
            <li key={id} dir="auto">
              {title}
              {description && <span className={styles['detail']}> {description}</span>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
