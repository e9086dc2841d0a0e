import EnvironmentOutlined from '@ant-design/icons/EnvironmentOutlined'
import FileTextOutlined from '@ant-design/icons/FileTextOutlined'
import ShopOutlined from '@ant-design/icons/ShopOutlined'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import { type Media, MediaContent } from '../thread/media-content.tsx'
import { MessageCard } from '../thread/message-card.tsx'

type Header = NonNullable<Extract<MessageContent, { type: 'template' }>['header']>

/** The file, place or product above the text of a template. */
export function TemplateHeader({ header }: { header: Header }) {
  if (header.kind === 'location') {
    const { latitude, longitude, name, address } = header
    const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
    return <MessageCard icon={<EnvironmentOutlined />} title={name} detail={address} url={url} />
  }
  if (header.kind === 'product')
    return <MessageCard icon={<ShopOutlined />} title={header.id} detail={`Product of catalogue ${header.catalogId}`} />
  const { kind: type, ...file } = header
  if (file.mediaId === undefined)
    return <MessageCard icon={<FileTextOutlined />} title={file.fileName} detail="No longer kept" />
  const content: Media = { type, ...file, url: `/api/media/${file.mediaId}` }
  return <MediaContent content={content} />
}
