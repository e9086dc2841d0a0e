import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import FilePdfOutlined from '@ant-design/icons/FilePdfOutlined'
import PictureOutlined from '@ant-design/icons/PictureOutlined'
import ShopOutlined from '@ant-design/icons/ShopOutlined'
import VideoCameraOutlined from '@ant-design/icons/VideoCameraOutlined'
import type { HeaderMedia } from '@parley/contracts/templates/template-headers'
import styles from './message-preview.module.css'

const icons = {
  image: PictureOutlined,
  video: VideoCameraOutlined,
  document: FilePdfOutlined,
  location: EnvironmentOutlined,
  product: ShopOutlined,
}
/** Names of headers, by kind. */
export const headerNames = {
  image: 'Picture',
  video: 'Video',
  document: 'Document',
  location: 'Place',
  product: 'Product',
} as const

/** Shows the header above a message's text, as on a phone; a placeholder where there is none yet. */
export function HeaderMediaPreview({ headerMedia }: { headerMedia: HeaderMedia }) {
  const { kind } = headerMedia
  const Icon = icons[kind]
  if (kind === 'location')
    return (
      <div className={styles['card']}>
        <Icon aria-hidden />
        <span>
          <strong dir="auto">{headerMedia.place?.name || headerNames.location}</strong>
          {headerMedia.place?.address && <span dir="auto">{headerMedia.place.address}</span>}
        </span>
      </div>
    )
  if (kind === 'product')
    return (
      <div className={styles['card']}>
        <Icon aria-hidden />
        <span>
          <strong dir="auto">{headerMedia.product?.id || headerNames.product}</strong>
          <span>WhatsApp shows its picture, name and price here.</span>
        </span>
      </div>
    )
  const { file } = headerMedia
  if (kind === 'document')
    return (
      <div className={styles['card']}>
        <Icon aria-hidden />
        <span dir="auto">{file?.name ?? headerNames.document}</span>
      </div>
    )
  if (!file)
    return (
      <div className={styles['blank']} role="img" aria-label={headerNames[kind]}>
        <Icon aria-hidden />
      </div>
    )
  const source = `/api/media/${file.mediaId}`
  return kind === 'image' ? (
    <img className={styles['media']} src={source} alt={file.name} />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: WhatsApp takes none.
    <video className={styles['media']} src={source} controls preload="metadata" aria-label={file.name} />
  )
}
