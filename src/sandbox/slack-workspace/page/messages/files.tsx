import type { FileInfo } from '../../people-api.ts';
import { Icon } from '../shell/icon.tsx';

export function Files({ files }: { files: FileInfo[] }) {
  return files.map((file) => <FileView key={file.id} file={file} />);
}

function FileView({ file }: { file: FileInfo }) {
  const title = file.title || file.name;
  return (
    <section className="file" aria-label={`File ${title}`}>
      <div className="file-head">
        <Icon name="file" />
        <span className="file-names">
          <a href={file.url} target="_blank" rel="noreferrer">
            {title}
          </a>
          <span className="file-note">
            {file.name} · {formatSize(file.sizeBytes)}
          </span>
        </span>
        <a className="button" href={`${file.url}&download=1`} download={file.name} aria-label={`Download ${file.name}`}>
          Download
        </a>
      </div>
      {file.preview !== undefined && (
        <details>
          <summary>Preview</summary>
          <pre>{file.preview}</pre>
        </details>
      )}
    </section>
  );
}

function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
