import type { HomeView } from '../../people-api.ts';
import { Blocks } from '../blocks/block.tsx';
import { SurfaceProvider } from '../elements/use-element.tsx';
import { useViewSurface } from './view-surface.ts';

export function HomeTab({ home, appName }: { home: HomeView | undefined; appName: string }) {
  return (
    <section className="home" aria-label="Home tab" data-focus-home="home" tabIndex={-1}>
      {home ? (
        <HomeBlocks key={home.id} home={home} />
      ) : (
        <p className="empty">{appName} hasn’t put anything here yet.</p>
      )}
    </section>
  );
}

function HomeBlocks({ home }: { home: HomeView }) {
  const surface = useViewSurface(home);
  return (
    <SurfaceProvider value={surface}>
      <Blocks blocks={home.blocks} />
    </SurfaceProvider>
  );
}
