# Debian rather than Alpine: the tests run against the same C library that the image carries.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY build.config.ts tsconfig.json ./
COPY locales ./locales
COPY src ./src
COPY tools/texts ./tools/texts
ARG PORSA_COMMIT=
RUN PORSA_COMMIT=$PORSA_COMMIT npm run build && chmod +x dist/cli/porsa.js

# For `docker compose --profile demo up` alone: the bot with what plays Telegram, the service and the people.
FROM build AS demo
ENV DATA_DIR=/data
COPY tools ./tools
RUN npm run tools && mkdir -m 700 /data && chown node:node /data
VOLUME /data
USER node
CMD ["node", "--enable-source-maps", "dist-tools/programs/demo.js"]

FROM build AS pruned
RUN npm prune --omit=dev \
  # What runs comes from dist; src keeps only what is read as a file: fonts.
  && find src -name '*.ts' -delete && find src -type d -empty -delete \
  # SQLite comes prebuilt for every platform; this image needs one.
  && find node_modules/@photostructure/sqlite/prebuilds -mindepth 1 -maxdepth 1 \
       ! -name "linux-$(node -p process.arch)" -exec rm -r {} + \
  && mkdir -m 700 /data /key

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data DATA_KEY_FILE=/key/data.key
WORKDIR /app
COPY --from=pruned /app/package.json ./
COPY --from=pruned /app/node_modules ./node_modules
COPY --from=pruned /app/locales ./locales
COPY --from=pruned /app/src ./src
COPY --from=pruned /app/dist ./dist
# The key lies on a volume of its own, so that a copy of the data is no copy of the key.
COPY --from=pruned --chown=node:node /data /data
COPY --from=pruned --chown=node:node /key /key
RUN ln -s /app/dist/cli/porsa.js /usr/local/bin/porsa
VOLUME ["/data", "/key"]
USER node
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["porsa", "start"]
