"""Opens a source by its protocol."""

from opilio.deliveries.source import Connection, Source, SourceProtocol
from opilio.deliveries.sources.folder import FolderConnection
from opilio.deliveries.sources.ftp import FtpConnection
from opilio.deliveries.sources.sftp import SftpConnection
from opilio.deliveries.sources.web import WebConnection


def opened(source: Source) -> Connection:
    """A signed-in connection; the caller closes it."""
    match source.protocol:
        case SourceProtocol.SFTP:
            return SftpConnection(source)
        case SourceProtocol.FTP | SourceProtocol.FTPS:
            return FtpConnection(source)
        case SourceProtocol.HTTP | SourceProtocol.HTTPS:
            return WebConnection(source)
        case SourceProtocol.FOLDER:
            return FolderConnection(source)
