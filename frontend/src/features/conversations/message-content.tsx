import AudioOutlined from '@ant-design/icons/AudioOutlined'
import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import UserOutlined from '@ant-design/icons/UserOutlined'
import VideoCameraOutlined from '@ant-design/icons/VideoCameraOutlined'
import type { MessageContent as Content } from '@parley/contracts/conversations'
import { parsePhone } from '@parley/phone'
import type { ReactNode } from 'react'
import { formatBytes } from './format-bytes.ts'
import styles from './message-content.module.css'
import { MessageText } from './message-text.tsx'

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
          <MessageText text={content.text} />
        </>
      )
    case 'image':
      return (
        <figure className={styles['figure']}>
          <img src={content.url} alt={content.caption ?? 'Photo'} width="320" height="240" loading="lazy" />
          {content.caption && (
            <figcaption>
              <MessageText text={content.caption} />
            </figcaption>
          )}
        </figure>
      )
    case 'sticker':
      return (
        <img className={styles['sticker']} src={content.url} alt="Sticker" width="120" height="90" loading="lazy" />
      )
    case 'video':
      return (
        <>
          <Card
            icon={<VideoCameraOutlined />}
            title="Video"
            detail={formatBytes(content.sizeBytes)}
            url={content.url}
          />
          {content.caption && <MessageText text={content.caption} />}
        </>
      )
    case 'audio':
      return (
        <Card
          icon={<AudioOutlined />}
          title={content.voice ? 'Voice message' : 'Audio'}
          detail={formatBytes(content.sizeBytes)}
          url={content.url}
        />
      )
    case 'document':
      return (
        <Card
          icon={<FileTextOutlined />}
          title={content.fileName}
          detail={`${content.mimeType.split('/').at(-1)?.toUpperCase()} · ${formatBytes(content.sizeBytes)}`}
          url={content.url}
          fileName={content.fileName}
        />
      )
    case 'location':
      return (
        <Card
          icon={<EnvironmentOutlined />}
          title={content.name ?? 'Location'}
          detail={content.address ?? `${content.latitude.toFixed(5)}, ${content.longitude.toFixed(5)}`}
          url={`https://www.openstreetmap.org/?mlat=${content.latitude}&mlon=${content.longitude}#map=17/${content.latitude}/${content.longitude}`}
        />
      )
    case 'contacts':
      return content.contacts.map(({ name, phones }) => (
        <Card
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

/** A file, place or person. Without `url` there is nothing to open. */
function Card({
  icon,
  title,
  detail,
  url = '',
  fileName,
}: {
  icon: ReactNode
  title: string
  detail: string
  url?: string
  fileName?: string
}) {
  const inside = (
    <>
      <span className={styles['icon']} aria-hidden="true">
        {icon}
      </span>
      <span className={styles['about']}>
        <span className={styles['title']} dir="auto">
          {title}
        </span>
        <span className={styles['detail']} dir="auto">
          {detail}
        </span>
      </span>
    </>
  )
  if (url === '') return <div className={styles['card']}>{inside}</div>
  const how = fileName ? { download: fileName } : { target: '_blank', rel: 'noreferrer' }
  return (
    <a className={styles['card']} href={url} {...how}>
      {inside}
    </a>
  )
}
