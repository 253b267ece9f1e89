CREATE TABLE "console"."embed_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"ending" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"created_by" text NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"revoked_by" text,
	CONSTRAINT "embed_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE INDEX "embed_keys_by_created" ON "console"."embed_keys" USING btree ("environment","created_at");