package main

//go:generate mkdir -p oapi ogenapi
//go:generate go tool oapi-codegen -package oapi -o oapi/api.go ../../../../adapters/httpapi/openapi.yaml
//go:generate go tool ogen --target ogenapi --package ogenapi --clean ../../../../adapters/httpapi/openapi.yaml
