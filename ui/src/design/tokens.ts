/**
 * The values that all looks are made of: colors, type, space, radii, shadows and motion, for light and dark. The console, the
 * widget and the pages of the server use this one text; no other file contains a color or the size of a control. A pair of
 * text and ground has a contrast of at least 4.5, an edge of a control 3.
 *
 * Variables that hosts of MCP Apps set come first, so that the widget looks like its host.
 */
export const tokens = `
:root{
color-scheme:light dark;
--back:light-dark(#f9fafb,#0d0f12);
--paper:var(--color-background-primary,light-dark(#ffffff,#15181c));
--raised:var(--color-background-secondary,light-dark(#f2f4f7,#1f2329));
--pressed:light-dark(#e7eaef,#2a2f37);
--overlay:light-dark(#ffffff,#1b1e23);
--backdrop:light-dark(#10182866,#000000a6);
--back-dimmed:light-dark(#9ba0a6,#040506);
--text:var(--color-text-primary,light-dark(#16191f,#eceef2));
--soft:var(--color-text-secondary,light-dark(#5a6170,#a4abb8));
--faint:light-dark(#666d7a,#8f96a4);
--line:var(--color-border-primary,light-dark(#e3e6eb,#2a2e36));
--line-strong:light-dark(#cfd4dc,#3b414b);
--edge:light-dark(#8c93a0,#727a88);
--accent:light-dark(#2c57d2,#3e6ae6);
--accent-hover:light-dark(#244ab8,#345fdc);
--on-accent:#ffffff;
--strong:var(--color-text-info,light-dark(#2450b8,#8fb0ff));
--strong-soft:light-dark(#eaf0fd,#1b2540);
--bad:var(--color-text-danger,light-dark(#b3211b,#ff9c94));
--bad-soft:light-dark(#fdeeed,#351d1c);
--bad-mark:color-mix(in srgb,var(--bad) 10%,var(--bad-soft));
--bad-fill:light-dark(#c42b24,#c9392f);
--bad-fill-hover:light-dark(#a8231d,#d1463c);
--good:var(--color-text-success,light-dark(#17663a,#7ed8a0));
--good-soft:light-dark(#e7f5ec,#162c20);
--good-mark:color-mix(in srgb,var(--good) 10%,var(--good-soft));
--warn:light-dark(#7a4a00,#f0c674);
--warn-soft:light-dark(#fdf4e3,#30271a);
--ring:var(--color-ring-primary,light-dark(#2c57d2,#8fb0ff));
--hue:262;
--brand:#2450b8;
--on-brand:#ffffff;

--sans:var(--font-sans,"Inter Variable",ui-sans-serif,system-ui,sans-serif);
--mono:var(--font-mono,ui-monospace,"SF Mono",Menlo,Consolas,monospace);
--size-xs:.75rem;
--size-sm:.8125rem;
--size-md:var(--font-text-md-size,.875rem);
--size-lg:1rem;
--size-xl:1.25rem;

--control:2rem;
--control-sm:1.75rem;
--mark:1rem;
--r-sm:4px;
--r:var(--border-radius-md,6px);
--r-lg:8px;
--r-xl:12px;
--ring-width:2px;

--shadow:0 1px 2px light-dark(#1018280d,#00000040);
--shadow-float:0 4px 12px light-dark(#10182814,#00000066),0 1px 3px light-dark(#1018280f,#00000059);
--shadow-dialog:0 16px 40px light-dark(#10182833,#00000099);

--fast:.12s;
--ease:cubic-bezier(.2,0,0,1);
}
.ui-initial{background:light-dark(oklch(94% .04 var(--hue)),oklch(31% .055 var(--hue)));color:light-dark(oklch(42% .12 var(--hue)),oklch(86% .09 var(--hue)))}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
@media (pointer:coarse){:root{--control:2.5rem;--control-sm:2.25rem;--mark:1.25rem}}
`;
