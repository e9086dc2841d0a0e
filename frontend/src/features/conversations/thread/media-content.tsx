import AudioOutlined from '@ant-design/icons/AudioOutlined'
import CloudDownloadOutlined from '@ant-design/icons/CloudDownloadOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import VideoCameraOutlined from '@ant-design/icons/VideoCameraOutlined'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import { lazy, Suspense, useState } from 'react'
import { formatBytes } from '../../../lib/format-bytes.ts'
import { MessageCard } from './message-card.tsx'
import styles from './message-content.module.css'
import { MessageText } from './message-text.tsx'

const Film = lazy(async () => ({ default: (await import('./media-player.tsx')).Film }))
const Sound = lazy(async () => ({ default: (await import('./media-player.tsx')).Sound }))
const MediaViewer = lazy(async () => ({ default: (await import('./media-viewer.tsx')).MediaViewer }))

export type Media = Extract<MessageContent, { mimeType: string }>

/** The longer side that a picture or film has in a thread, in pixels. */
const shownPx = 320

const names = { image: 'Photo', video: 'Video', audio: 'Audio', document: 'Document', sticker: 'Sticker' } as const
const icons = {
  image: <PictureOutlined />,
  video: <VideoCameraOutlined />,
  audio: <AudioOutlined />,
  document: <FileTextOutlined />,
  sticker: <PictureOutlined />,
} as const
const absent = {
  loading: 'Being fetched from WhatsApp',
  expired: 'Expired at WhatsApp before it could be fetched',
  failed: 'Could not be fetched from WhatsApp',
} as const

/**
 * A picture, film, recording or file, as WhatsApp shows it, with the words under it.
 * @param mentions names of members whom those mention by `@`.
 */
export function MediaContent({ content, mentions = [] }: { content: Media; mentions?: readonly string[] }) {
  return (
    <figure className={styles['figure']}>
      <File content={content} />
      {content.caption && (
        <figcaption>
          <MessageText text={content.caption} mentions={mentions} />
        </figcaption>
      )}
    </figure>
  )
}

function File({ content }: { content: Media }) {
  const { type, url, state, sizeBytes, mimeType } = content
  if (url === '')
    return (
      <MessageCard icon={<CloudDownloadOutlined />} title={names[type]} detail={state ? absent[state] : 'Not here'} />
    )
  switch (type) {
    case 'image':
      return <Picture content={content} />
    case 'sticker':
      return <img className={styles['sticker']} src={url} alt="Sticker" width="120" height="120" loading="lazy" />
    case 'video':
      return (
        <Suspense fallback={<span className={styles['film']} style={sizeOf(content)} />}>
          <Film url={url} {...sizeOf(content)} />
        </Suspense>
      )
    case 'audio':
      return (
        <Suspense fallback={<span className={styles['sound']} />}>
          <Sound url={url} voice={content.voice === true} />
        </Suspense>
      )
    case 'document':
      return (
        <MessageCard
          icon={icons.document}
          title={content.fileName}
          detail={`${mimeType.split('/').at(-1)?.split('.').at(-1)?.toUpperCase()} · ${formatBytes(sizeBytes)}`}
          url={url}
          fileName={content.fileName}
        />
      )
  }
}

/** Returns the size of a picture, whose place is kept free while it loads, so that nothing moves. */
function sizeOf({ width = 4, height = 3 }: Media): { width: number; height: number } {
  const scale = shownPx / Math.max(width, height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

function Picture({ content }: { content: Media }) {
  const [open, setOpen] = useState(false)
  const [shown, setShown] = useState<'small' | 'whole' | 'none'>('small')
  const alt = content.caption ?? 'Photo'
  if (shown === 'none')
    return <MessageCard icon={icons.image} title="Photo" detail="Could not be loaded" url={content.url} />
  return (
    <>
      <button
        type="button"
        className={styles['picture']}
        aria-label={`Open photo: ${alt}`}
        onClick={() => setOpen(true)}
      >
        <img
          src={shown === 'small' ? thumbnailOf(content) : content.url}
          alt={alt}
          {...sizeOf(content)}
          loading="lazy"
          onError={() => setShown(shown === 'small' ? 'whole' : 'none')}
        />
      </button>
      {open && (
        <Suspense>
          <MediaViewer url={content.url} alt={alt} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

const thumbnailOf = ({ url }: Media): string => (url.startsWith('/api/media/') ? `${url}/thumbnail` : url)
