import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import type { MessageContent as Content } from '@parley/contracts/messages'
import { parsePhone } from '@parley/phone'
import { MediaContent } from './media-content.tsx'
import { MessageCard } from './message-card.tsx'
import styles from './message-content.module.css'
import { MessageText } from './message-text.tsx'
import { TemplateHeader } from './template-header.tsx'

/** What a message holds, whatever its kind. */
export function MessageContent({ content }: { content: Content }) {
  switch (content.type) {
    case 'text':
    case 'system':
      return <MessageText text={content.text} />
    case 'template':
      return (
        <>
          <p className={styles['kind']}>Template · {content.name}</p>
          {content.header && <TemplateHeader header={content.header} />}
          <MessageText text={content.text} />
        </>
      )
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker':
      return <MediaContent content={content} />
    case 'location':
      return (
        <MessageCard
          icon={<EnvironmentOutlined />}
          title={content.name ?? 'Location'}
          detail={content.address ?? `${content.latitude.toFixed(5)}, ${content.longitude.toFixed(5)}`}
          url={`https://www.openstreetmap.org/?mlat=${content.latitude}&mlon=${content.longitude}#map=17/${content.latitude}/${content.longitude}`}
        />
      )
    case 'contacts':
      return content.contacts.map(({ name, phones }) => (
        <MessageCard
          key={`${name} ${phones.join()}`}
          icon={<UserOutlined />}
          title={name}
          detail={phones.map((phone) => parsePhone(phone)?.international ?? phone).join(', ')}
        />
      ))
    case 'interactive':
      return <Interactive content={content} />
    case 'reaction':
      return <p className={styles['note']}>Reacted {content.emoji} to an earlier message</p>
    case 'unsupported':
      return <p className={styles['note']}>This kind of message cannot be shown here. Open WhatsApp on your phone.</p>
  }
}

function Interactive({ content }: { content: Extract<Content, { type: 'interactive' }> }) {
  if (content.chosen !== undefined)
    return (
      <>
        <p className={styles['kind']}>Chose an option</p>
        <MessageText text={content.text} />
      </>
    )
  return (
    <>
      <MessageText text={content.text} />
      <ul className={styles['options']} aria-label="Options">
        {content.options.map(({ id, title }) => (
          <li key={id} dir="auto">
            {title}
          </li>
        ))}
      </ul>
    </>
  )
}
